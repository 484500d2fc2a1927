"""Fuzzing of the language: `python test/fuzz/kernels --help`; test/fuzz/README.md says how it works."""
import argparse
import os
import pathlib
import sys
import time

import campaign
import programs


def report(finding):
    """One line for a finding, as it comes."""
    where = f"seed {finding['seed']}, program {finding['number']}"
    first = finding["message"].strip().splitlines()
    print(f"FOUND {finding['kind']} {finding['target']} {finding['detail']} ({where}): {first[0] if first else ''}", flush=True)


def fuzz(arguments):
    """Runs a range of programs; gives whether nothing was found."""
    start = time.monotonic()
    numbers = range(arguments.first, arguments.first + arguments.count)
    done = campaign.Campaign(arguments.seed, arguments.target.split(","), not arguments.no_mutants, report)
    done.run(numbers, arguments.jobs)
    known = set(programs.pairs())
    print(f"{done.done} programs, {len(done.findings)} findings, {len(done.covered & known)} of {len(known)} pairs of operation and "
          f"element type, {time.monotonic() - start:.1f} s")
    complete = True
    if arguments.least_coverage:
        import inventory
        complete = inventory.report(arguments.build, done.covered) >= arguments.least_coverage
    return complete and not done.findings


def show(arguments):
    """Prints the text of one program, and of its mutant if one is named."""
    import mutations
    from tree import Printer
    program = programs.make(arguments.number, arguments.seed)
    print(f"# grid {program.grid}, math {program.math}")
    print(Printer().program(program))
    if arguments.mutant:
        kind = None if arguments.mutant == "own" else arguments.mutant
        print(mutations.mutate(program, kind)[1].text())
    return True


def reduce(arguments):
    """Shrinks the first finding of a program and keeps it as a reproducer."""
    import dataclasses

    import examine
    import mutations
    import reproducers
    import shrink
    targets = tuple(arguments.target.split(","))
    examiner = examine.Examiner(targets)
    if shrink.crashes(lambda: examiner.examine(arguments.number, arguments.seed)):
        finding = {"kind": "crash", "target": "", "detail": ""}
    else:
        examiner.examine(arguments.number, arguments.seed)
        if not examiner.findings:
            print("nothing is found in this program")
            return False
        finding = dataclasses.asdict(examiner.findings[0])
    small = shrink.shrink(programs.make(arguments.number, arguments.seed), finding, targets)
    mutant = mutations.mutate(small, finding["detail"])[1] if finding["kind"] == "mutant" else None
    where = f"Seed {arguments.seed}, program {arguments.number}: {finding['kind']} {finding['target']} {finding['detail']}".strip()
    reproducers.write(pathlib.Path(arguments.out), where + ".", small, mutant and mutant.text(), mutant and mutant.options)
    print(pathlib.Path(arguments.out).read_text())
    return True


def prove(arguments):
    """Hunts the seeded faults."""
    import seeded
    return seeded.prove(arguments.build, arguments.limit, arguments.jobs, arguments.seed, arguments.built, arguments.fault)


def parse():
    parser = argparse.ArgumentParser(prog="test/fuzz/kernels", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="examine programs")
    run.add_argument("--seed", type=int, default=1)
    run.add_argument("--first", type=int, default=0)
    run.add_argument("--count", type=int, default=300)
    run.add_argument("--jobs", type=int, default=os.cpu_count())
    run.add_argument("--target", default="cpu", help="targets that have to agree with the reference")
    run.add_argument("--no-mutants", action="store_true")
    run.add_argument("--least-coverage", type=float, help="fail below this share of the compiler's table of operations")
    run.add_argument("--build", default="build")
    run.set_defaults(action=fuzz)
    one = commands.add_parser("show", help="print a program")
    one.add_argument("number", type=int)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--mutant", help="print a mutant too: the name of a mutation, or 'own'")
    one.set_defaults(action=show)
    small = commands.add_parser("shrink", help="shrink what a program shows to a reproducer")
    small.add_argument("number", type=int)
    small.add_argument("--seed", type=int, default=1)
    small.add_argument("--target", default="cpu")
    small.add_argument("--out", required=True)
    small.set_defaults(action=reduce)
    faults = commands.add_parser("seeded", help="prove that ten seeded faults are found")
    faults.add_argument("--build", default="build", help="the build folder whose options the scratch build takes")
    faults.add_argument("--built", help="a build of the scratch copy that exists already")
    faults.add_argument("--fault", type=int, action="append", help="hunt this fault only (repeatable)")
    faults.add_argument("--limit", type=int, default=2000)
    faults.add_argument("--jobs", type=int, default=os.cpu_count())
    faults.add_argument("--seed", type=int, default=1)
    faults.set_defaults(action=prove)
    return parser.parse_args()


if __name__ == "__main__":
    parsed = parse()
    sys.exit(0 if parsed.action(parsed) else 1)
