"""Counts rows of a report: an operator with several rows is as good as its worst."""
import collections

#: From worst to best.
ORDER = ("not run", "crash", "hang", "wrong", "failed", "refused", "host", "right")


def worst_by_name(rows):
    """{(library, name): status}."""
    worst = {}
    for row in rows:
        name = (row["library"], row["name"])
        worst[name] = min(worst.get(name, "right"), row["status"], key=ORDER.index)
    return worst


def counts_by_library(rows):
    """{library: {status: number of operators}}."""
    counts = collections.Counter((library, status) for (library, _), status in worst_by_name(rows).items())
    return {library: {status: number for (owner, status), number in sorted(counts.items()) if owner == library}
            for library in sorted({row["library"] for row in rows})}
