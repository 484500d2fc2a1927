"""Compiles kernels that have become Kernel IR for GPU targets, and compares what the first of them compiles with the others.

    python test/conformance/kernels.py --target nvidia:sm_90a --target amd:gfx942 --report kernels.json

Each kernel is compiled with the first signature that is met. Nothing is assembled by a vendor's tools. Times are processor time
of all threads of the compiler, a kernel's targets one behind the other.
"""
import hashlib
import json
import os
import pathlib
import statistics

from tilewright import engine

#: Compiles of a kernel, of which the fastest counts.
_REPEATS = 3
#: The code of a refusal for too many threads: warps of 64 lanes make twice as many.
_TOO_MANY_THREADS = 4152


class Targets:
    """The targets of a run, and a folder where its processes say which kernels they have taken and what came of them."""

    def __init__(self, names, share, folder):
        self.names = list(names)
        self.first, self.step = map(int, share.split("/"))
        self.folder = pathlib.Path(folder)
        self.journal = self.folder / "targets.jsonl"

    def takes(self, place):
        """Whether the kernel at this place is in the share and nobody compiled it yet; then it is the caller's."""
        name = hashlib.sha256(place.encode()).hexdigest()
        if not self.names or int(name, 16) % self.step != self.first:
            return False
        try:
            os.close(os.open(self.folder / name, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    def compile(self, place, tree, name, signature, options):
        """Notes by target: `code` (0 or the diagnostic's), `milliseconds` of the processor in LLVM, `message`."""
        targets = {target: _compile(tree, name, signature, target, dict(options)) for target in self.names}
        row = {"kernel": place, "name": name, "signature": signature, "options": dict(options), "targets": targets}
        with open(self.journal, "a") as journal:
            journal.write(json.dumps(row, default=str) + "\n")

    def rows(self):
        """What all processes noted."""
        return [json.loads(line) for line in self.journal.read_text().splitlines()] if self.journal.exists() else []

    def report(self, path):
        """Prints what compiled where, writes it beside the report, and gives what the first target alone compiles."""
        if not self.names:
            return []
        rows = self.rows()
        text, faults = render(rows, self.names)
        print(text)
        if path:
            path.with_suffix(".targets.json").write_text(json.dumps(rows, indent=1) + "\n")
        return faults


def _compile(tree, name, signature, target, options):
    if target.startswith("nvidia"):
        options["assembler"] = "none"
    best = None
    for _ in range(_REPEATS):
        result = engine.compiler().compile(tree.text, tree.file, name, signature, target, options, tree.modules, ["timings"])
        if result.status != 0:
            errors = [entry for entry in result.diagnostics if entry[1] == 3]
            code = errors[0][0] if errors else result.status
            warps = options.get("num_warps", 4)
            if code == _TOO_MANY_THREADS and warps > 1:
                return _compile(tree, name, signature, target, {**options, "num_warps": warps // 2})
            return {"code": code, "message": result.rendered.strip()}
        taken = json.loads(result.stages["timings"])["processor"]["codegen"]
        best = taken if best is None else min(best, taken)
    return {"code": 0, "milliseconds": round(best, 3)}


def render(rows, names):
    """What compiled where and LLVM's time beside the first target's, as text; and what the first compiles and others do not."""
    base, lines, faults = names[0], [], []
    for target in names:
        good = [row for row in rows if row["targets"][target]["code"] == 0]
        lines.append(f"{target}: {len(good)} of {len(rows)} kernels compiled" + _times(good, base, target))
        for row in rows:
            found = row["targets"][target]
            if found["code"] == 0:
                continue
            text = f"{target}: {row['kernel']} {row['name']}: TW{found['code']} {found['message'].splitlines()[0]}"
            lines.append("  " + text)
            if row["targets"][base]["code"] == 0:
                faults.append(text)
    return "\n".join(lines), faults


def _times(good, base, target):
    ratios = sorted(row["targets"][target]["milliseconds"] / row["targets"][base]["milliseconds"]
                    for row in good if row["targets"][base]["code"] == 0)
    if target == base or not ratios:
        return ""
    return (f"; LLVM takes {statistics.geometric_mean(ratios):.2f} of its time for {base} (geometric mean of {len(ratios)}), "
            f"95th percentile {ratios[int(0.95 * (len(ratios) - 1))]:.2f}")
