"""Shrinks a program while it keeps showing the same finding."""
import copy
import dataclasses
import multiprocessing
import re

import elements
import examine
from tree import Expr, Printer, expressions, statements


def signature(finding):
    """What has to stay the same: kind, target and mutation or code, not the values."""
    return finding["kind"], finding["target"], finding["detail"]


def crashes(work):
    """Whether `work()` kills its process: it runs in a child."""
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join()
    return (child.exitcode or 0) < 0


class Shrinker:
    """Tries smaller programs until none shows the finding."""

    def __init__(self, program, wanted, targets, patience=400):
        self.best = program
        self.wanted = wanted
        self.targets = targets
        self.left = patience

    def shows(self, program):
        """Whether a program still shows the finding."""
        if self.left <= 0:
            return False
        self.left -= 1
        if self.wanted[0] == "crash":
            examiner = examine.Examiner(self.targets, mutates=False)
            return crashes(lambda: examiner.targets_agree(program, Printer().program(program)))
        examiner = examine.Examiner(self.targets, mutates=self.wanted[0] == "mutant")
        try:
            results = examiner.targets_agree(program, Printer().program(program))
            if results and examiner.mutates:
                examiner.mutants_agree(program, results, self.wanted[2])
        except Exception:
            return False
        return any(signature(dataclasses.asdict(f)) == self.wanted for f in examiner.findings)

    def attempt(self, change):
        """Takes a change of the best program if the finding stays."""
        smaller = copy.deepcopy(self.best)
        if change(smaller) is False or not self.shows(smaller):
            return False
        self.best = smaller
        return True

    def run(self):
        """Passes over the program until a pass changes nothing."""
        changed = True
        while changed and self.left > 0:
            changed = self.drop_statements() | self.flatten() | self.simplify_expressions() | self.simplify_launch()
        drop_unused(self.best)
        return self.best

    def drop_statements(self):
        """Removes statements, large groups first."""
        changed, size = False, max(1, len(self.best.body) // 2)
        while size:
            at = 0
            while at < len(self.best.body):
                if self.attempt(lambda program, at=at: program.body.__delitem__(slice(at, at + size))):
                    changed = True
                else:
                    at += size
            size //= 2
        return changed

    def flatten(self):
        """Drops inner statements, and puts bodies in the place of their branches and loops."""
        changed, index = False, 0
        while index < len(list(statements(self.best.body))):
            def lift(program, index=index):
                body, at = list(statements(program.body))[index]
                inner = [s for part in body[at].bodies() for s in part]
                if not inner:
                    return False
                body[at:at + 1] = inner

            def drop(program, index=index):
                body, at = list(statements(program.body))[index]
                if body is program.body:
                    return False
                del body[at]

            if self.attempt(lift) or self.attempt(drop):
                changed = True
            else:
                index += 1
        return changed

    def simplify_expressions(self):
        """Replaces an expression by an operand or a constant of its type."""
        changed, index = False, 0
        while index < len(slots(self.best)):
            holder, position = slots(self.best)[index]
            node = get(holder, position)
            options = [a for a in node.args if a.dtype == node.dtype and a.shape == node.shape] if node.dtype else []
            done = False
            for number_, _ in enumerate(options):
                def replace(program, index=index, number_=number_):
                    holder, position = slots(program)[index]
                    node = get(holder, position)
                    put(holder, position, [a for a in node.args if a.dtype == node.dtype and a.shape == node.shape][number_])
                done = done or self.attempt(replace)
            if not done and node.args and node.dtype in elements.ALL:
                def constant(program, index=index):
                    holder, position = slots(program)[index]
                    node = get(holder, position)
                    form = f"tl.full([{', '.join(map(str, node.shape))}], 1, tl.{node.dtype})"
                    put(holder, position, Expr("tl.full", form, [], node.dtype, node.shape))
                done = self.attempt(constant)
            changed |= done
            index += 0 if done and options else 1
        return changed

    def simplify_launch(self):
        """One program, no options."""
        changed = False
        if self.best.grid != (1,):
            changed |= self.attempt(lambda program: setattr(program, "grid", (1,)))
        if self.best.options:
            changed |= self.attempt(lambda program: program.options.clear())
        return changed


def slots(program):
    """Every place that holds an expression: (statement or expression, position)."""
    found = []
    for body, at in statements(program.body):
        statement = body[at]
        for top in expressions(statement):
            found.append((statement, top))
            found += [(node, i) for node in top.walk() for i in range(len(node.args))]
    return found


def get(holder, position):
    return holder.args[position] if isinstance(holder, Expr) else position


def put(holder, position, value):
    if isinstance(holder, Expr):
        holder.args[position] = value
        return
    for field in ("value", "condition", "iterable"):
        if getattr(holder, field, None) is position:
            setattr(holder, field, value)


def drop_unused(program):
    """Removes parameters, helpers and functions that the text no longer names."""
    body = Printer().program(dataclasses.replace(program, parameters=[], helpers=[], head=[]))
    body += "".join(Printer().text(value) for helper in program.helpers for value in helper.returns)
    used = set(re.findall(r"\w+", body))
    program.parameters = [p for p in program.parameters if p.name in used]
    program.helpers = [h for h in program.helpers if h.name in used]
    program.head = [text for text in program.head if re.search(r"def (\w+)", text).group(1) in used]


def shrink(program, finding, targets, patience=400):
    """The smallest program found that shows the finding."""
    return Shrinker(program, signature(finding), tuple(targets), patience).run()
