"""`python -m tilewright.tuning`: shows and merges files of results."""
import argparse
import sys

from ..errors import CacheError
from .results import Results, merge


def main():
    parser = argparse.ArgumentParser(prog="python -m tilewright.tuning", description=__doc__.split(": ")[1])
    commands = parser.add_subparsers(dest="command", required=True)
    show = commands.add_parser("show", help="the fastest or pinned configuration of each entry")
    show.add_argument("file")
    merger = commands.add_parser("merge", help="one file from several; later files win")
    merger.add_argument("into")
    merger.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    try:
        if arguments.command == "merge":
            merge(arguments.into, *arguments.files)
            return 0
        for entry in Results.load(arguments.file).entries.values():
            best = entry.best()
            time = entry.configs.get(best)
            key = ", ".join(f"{name}={value}" for name, value in entry.key.items())
            print(f"{entry.kernel}({key}) on {entry.device}: "
                  + ("no configuration works" if best is None else f"{best}: {time:.4g} ms")
                  + (" (pinned)" if entry.pinned else "") + f", of {len(entry.configs)}")
        return 0
    except CacheError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
