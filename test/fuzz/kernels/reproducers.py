"""Small programs that once showed a bug, kept as files: what they need to run again, and their text."""
import dataclasses
import pprint
import runpy

import examine
import execute
from tree import Parameter, Printer, Program

HEADER = '"""{title}"""\n'


def write(path, title, program, mutant=None, mutant_options=None):
    """Keeps a program, and the mutant that differed from it."""
    fields = [{f.name: getattr(p, f.name) for f in dataclasses.fields(Parameter)
               if getattr(p, f.name) != f.default or f.name in ("name", "role")} for p in program.parameters]
    parts = [HEADER.format(title=title), f"SEED, NUMBER, GRID, MATH = {program.seed}, {program.number}, {program.grid}, {program.math!r}",
             f"OPTIONS = {program.options!r}", f"PARAMETERS = {pprint.pformat(fields, width=120, sort_dicts=False)}",
             f'TEXT = """\n{Printer().program(program)}"""']
    if mutant:
        parts += [f"MUTANT_OPTIONS = {mutant_options or {}!r}", f'MUTANT = """\n{mutant}"""']
    path.write_text("\n".join(parts) + "\n")


def read(path):
    """(program, text, mutant text or None, mutant options) of a file."""
    values = runpy.run_path(str(path))
    program = Program(values["NUMBER"], values["SEED"], [Parameter(**fields) for fields in values["PARAMETERS"]], [], [],
                      values["GRID"], values["MATH"], values["OPTIONS"])
    return program, values["TEXT"], values.get("MUTANT"), values.get("MUTANT_OPTIONS", {})


def replay(path, target):
    """What is wrong with a kept program on a target: findings, and differences of its mutant."""
    program, text, mutant, options = read(path)
    examiner = examine.Examiner((target,), mutates=False)
    results = examiner.targets_agree(program, text)
    wrong = [finding.message for finding in examiner.findings]
    if mutant and results and results[target] is not None:
        after = execute.run(program, target, mutant, **options)
        wrong.append(execute.compare(program, results[target], after, within_target=True))
    return [message for message in wrong if message]
