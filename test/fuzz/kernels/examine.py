"""Examines one program: every target against the reference, and mutants against the program on the same target."""
import dataclasses
import traceback

import execute
import mutations
import programs
import tilewright as tw
from tree import Printer

#: Codes of refusals that a rule of the language or of a target explains: code -> reason.
ALLOWED_REFUSALS = {}


@dataclasses.dataclass
class Finding:
    """Something wrong. `kind`: difference, mutant, refusal, stray, generator, crash, hang."""

    kind: str
    number: int
    seed: int
    target: str = ""
    #: The name of the mutation, or the code of the refusal.
    detail: str = ""
    message: str = ""
    text: str = ""


class Examiner:
    """Runs programs on targets and collects findings."""

    def __init__(self, targets=("cpu",), oracle="reference", mutates=True):
        self.targets = targets
        self.oracle = oracle
        self.mutates = mutates
        self.findings = []
        self.refused = 0

    def attempt(self, program, target, text, **options):
        """Runs a program; a refusal or a stray write is a finding and gives None."""
        try:
            return execute.run(program, target, text, **options)
        except execute.StrayWrite as stray:
            self.report("stray", program, target, "", str(stray), text)
        except tw.TilewrightError as error:
            self.refused += 1
            if error.code not in ALLOWED_REFUSALS:
                self.report("refusal", program, target, f"TW{error.code}", str(error), text)
        return None

    def report(self, kind, program, target, detail, message, text):
        self.findings.append(Finding(kind, program.number, program.seed, target, detail, message, text))

    def targets_agree(self, program, text):
        """Compares each target with the reference; gives the results by target."""
        results = {self.oracle: self.attempt(program, self.oracle, text, check="bounds")}
        if results[self.oracle] is None:
            return None
        for target in self.targets:
            results[target] = self.attempt(program, target, text)
            if results[target] is None:
                continue
            found = execute.compare(program, results[self.oracle], results[target])
            if found:
                self.report("difference", program, target, "", found, text)
        # The raised form on the oracle itself: raising must not change a bit.
        raised = self.attempt(program, self.oracle, text, **{"raise": 1})
        found = raised and execute.compare(program, results[self.oracle], raised, within_target=True)
        if found:
            self.report("difference", program, f"{self.oracle} raised", "", found, text)
        return results

    def mutant_agrees(self, program, made, results):
        """Compares a mutant with the program on each of the targets in `results`."""
        chosen, mutant = made
        text, options = mutant.text(), mutant.options
        # Which products and sums are fused is decided by the text, and by nothing else.
        rounds = program.math == "accurate" and not options
        if rounds:
            options = {"enable_fp_fusion": False}
        for target, before in results.items():
            if before is None or ("opt_level" in options and target == self.oracle):
                continue
            if rounds and target != self.oracle:
                before = self.attempt(program, target, Printer().program(program), **options)
            after = before and self.attempt(mutant.program, target, text, **options)
            found = after and execute.compare(program, before, after, within_target=True)
            if found:
                self.report("mutant", program, target, chosen, found, text)

    def mutants_agree(self, program, results, kind=None):
        """One mutant on every target, and some on the oracle alone, which is quick."""
        made = mutations.mutate(program, kind)
        if made:
            self.mutant_agrees(program, made, results)
        if kind:
            return
        for extra in ("full_parentheses", *mutations.further(program, 2)):
            made = mutations.mutate(program, extra)
            if made:
                self.mutant_agrees(program, made, {self.oracle: results[self.oracle]})

    def examine(self, number, seed):
        """Everything about one program; gives the pairs that it covers."""
        try:
            program = programs.make(number, seed)
        except Exception:
            self.findings.append(Finding("generator", number, seed, message=traceback.format_exc()))
            return set()
        results = self.targets_agree(program, Printer().program(program))
        if results is None:
            return set()
        if self.mutates:
            self.mutants_agree(program, results)
        return program.covered
