"""Collects the compiles of a run and says, for every function of the libraries: compiled, refused or excluded, and why.

`kernels_exclusions.json` names functions that are written for one vendor's dialect; `kernels_refusals.json` holds the
rules of the language that refusals cite. A refusal without a rule, an internal error, a crash or a hang fails the run.
"""
import collections
import json
import pathlib

import kernels_find
import kernels_usage

_HERE = pathlib.Path(__file__).resolve().parent
#: Codes of our own mistakes: "failed without a message" of each stage.
_INTERNAL = (0, 3000, 4000)
GOALS = {"compiled": 0.99, "raised": 0.80}


def group_of(function):
    """The part of a library that a function counts for."""
    vendor = [part for part in pathlib.PurePath(function.file).parts if part.startswith("_") and part != "_nvidia"]
    in_backends = "/runtime/backend/" in function.file or "/ops/backends/" in function.file
    return f"{function.library} vendor trees" if in_backends and vendor else function.library


class Report:
    """What is known about each function so far."""

    def __init__(self, functions):
        self.functions = functions
        self.usages = kernels_usage.Usages()
        folders = {library: kernels_find.package_folder(library).parent for library in kernels_find.LIBRARIES}
        self.by_decorator = {f"{folders[f.library] / f.file}:{f.line}": f for f in functions}
        self.by_definition = {f"{folders[f.library] / f.file}:{f.node.lineno}": f for f in functions}
        self.exclusions = json.loads((_HERE / "kernels_exclusions.json").read_text())
        self.rules = json.loads((_HERE / "kernels_refusals.json").read_text())
        self.good = collections.defaultdict(list)
        self.bad = collections.defaultdict(list)
        self.inlined = set()
        self.generated = []
        self.broken = []
        self.problems = {}
        self.helpers = {id(helper) for f in functions if f.kernel is not None and not self.excluded(f)
                        for helper in self.usages(f.kernel).called}

    def excluded(self, function):
        """Why a function is not counted; "" when it is."""
        if function.label in self.exclusions["functions"]:
            return self.exclusions["functions"][function.label]
        if function.problem:
            return f"its module cannot be imported without the vendor's software: {function.problem}"
        return ""

    def add(self, results, how, only_good=False):
        """Takes the rows of a pool of processes; all of them, or those that compiled."""
        for result in results:
            if result.get("status") in ("crash", "hang"):
                self.broken.append({key: result[key] for key in ("library", "name", "status", "detail")})
                continue
            if result["problem"]:
                self.problems[result["name"]] = result["problem"]
            for row in result["rows"]:
                if row["code"] == 0 or not only_good:
                    self._add_row(row, how)

    def _add_row(self, row, how):
        row["how"] = how
        function = self.by_decorator.get(row["kernel"]) or self.by_decorator.get(row.get("scalar_function"))
        if function is None:
            self.generated.append(row)
        else:
            (self.good if row["code"] == 0 else self.bad)[id(function)].append(row)
        if row["code"] == 0:
            self.inlined |= {id(self.by_definition[place]) for place in row["functions"] if place in self.by_definition}

    def is_covered(self, function):
        """Whether the function or a kernel that inlines it was compiled."""
        return id(function) in self.good or id(function) in self.inlined

    def needs_signature(self, function):
        """Whether a kernel was not seen in any launch."""
        return self.is_uncovered(function) and id(function.kernel) not in self.helpers

    def is_uncovered(self, function):
        """Whether nothing that contains a function has been compiled."""
        return function.kernel is not None and not self.excluded(function) and not self.is_covered(function)

    def is_unknown(self, function):
        """Whether not even a refusal is known."""
        return self.is_uncovered(function) and id(function) not in self.bad

    def calls_uncovered(self, function):
        """Whether a kernel calls a helper that no compiled kernel has inlined."""
        if function.kernel is None or self.excluded(function) or id(function.kernel) in self.helpers:
            return False
        uncovered = {id(f.kernel) for f in self.functions if self.is_uncovered(f)}
        return any(id(helper) in uncovered for helper in self.reached(function.kernel))

    def reached(self, kernel):
        """All helpers that a kernel may call, directly or not."""
        found, pending = {}, [kernel]
        while pending:
            for helper in self.usages(pending.pop()).called:
                if id(helper) not in found:
                    found[id(helper)] = helper
                    pending.append(helper)
        return list(found.values())

    def rule_for(self, function, row):
        """The rule that a refusal cites, or None."""
        for rule in self.rules:
            if rule["code"] == row["code"] and function.label in rule["functions"]:
                return rule["rule"]
        return None

    def row(self, function):
        """The report's entry for a function."""
        entry = {"function": function.label, "group": group_of(function), "lines": function.length}
        reason = self.excluded(function)
        if reason:
            return {**entry, "status": "excluded", "reason": reason}
        if self.is_covered(function):
            rows = self.good.get(id(function))
            if not rows:
                return {**entry, "status": "compiled", "how": "inlined"}
            first = rows[0]
            counts = {key: first.get(key, 0) for key in ("boxes", "gathers", "atomics")}
            refused = sorted({row["code"] for row in self.bad.get(id(function), [])})
            return {**entry, "status": "compiled", **{key: first[key] for key in ("how", "signature", "options", "milliseconds",
                                                                                  "reasons")},
                    "signatures": len(rows), **counts, **({"also_refused": refused} if refused else {})}
        rows = self.bad.get(id(function))
        if not rows:
            return {**entry, "status": "refused", "code": -1, "rule": self.missing_rule(function),
                    "message": "no kernel reaches it"}
        return {**entry, "status": "refused", "code": rows[0]["code"], "rule": self.rule_for(function, rows[0]),
                "signature": rows[0]["signature"], "message": rows[0]["message"]}

    def missing_rule(self, function):
        """The rule for functions that are not there to compile."""
        return next((rule["rule"] for rule in self.rules if rule["code"] == -1 and function.label in rule["functions"]), None)

    def finish(self, functions, path):
        """Prints the report, writes it as JSON and text, and gives the exit status."""
        rows = [self.row(function) for function in functions]
        summary = summarise(rows)
        faults = self.faults(rows)
        if len(functions) == len(self.functions):
            faults += missed_goals(summary)
        text = render(summary, rows, faults, self.broken)
        print(text)
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"summary": summary, "faults": faults, "broken": self.broken, "functions": rows,
                                        "generated": self.generated, "host_problems": self.problems}, indent=1) + "\n")
            path.with_suffix(".txt").write_text(text + "\n")
        return 1 if faults or self.broken else 0

    def faults(self, rows):
        """What must not be, as text."""
        refused = [row for row in rows if row["status"] == "refused"]
        faults = [f"{row['function']}: internal error TW{row['code']}" for row in refused if row["code"] in _INTERNAL]
        # A vendor's tree is written for that vendor's compiler; its refusals are shown and not judged.
        faults += [f"{row['function']}: TW{row['code']} cites no rule" for row in refused
                   if not row["rule"] and "vendor trees" not in row["group"]]
        internal = {row["code"] for rows in self.bad.values() for row in rows} | {row["code"] for row in self.generated}
        faults += [f"internal error TW{code}" for code in internal & set(_INTERNAL) if code != 0]
        return faults


def summarise(rows):
    """Counts and shares for each group."""
    summary = {}
    for group in sorted({row["group"] for row in rows}):
        own = [row for row in rows if row["group"] == group]
        counts = collections.Counter(row["status"] for row in own)
        hows = collections.Counter(row["how"] for row in own if row["status"] == "compiled")
        boxes, gathers, atomics = (sum(row.get(key, 0) for row in own) for key in ("boxes", "gathers", "atomics"))
        counted = counts["compiled"] + counts["refused"]
        summary[group] = {
            "functions": len(own), "compiled": counts["compiled"], "refused": counts["refused"],
            "excluded": counts["excluded"], "share_compiled": round(counts["compiled"] / counted, 4) if counted else None,
            "how": dict(hows), "boxes": boxes, "gathers": gathers, "atomics": atomics,
            "share_raised": round(boxes / (boxes + gathers), 4) if boxes + gathers else None
        }
    return summary


def missed_goals(summary):
    """Goals that the libraries without their vendor trees miss, as text."""
    own = [entry for group, entry in summary.items() if "vendor trees" not in group]
    compiled, refused, boxes, gathers = (sum(entry[key] for entry in own) for key in ("compiled", "refused", "boxes", "gathers"))
    reached = {"compiled": compiled / max(compiled + refused, 1), "raised": boxes / max(boxes + gathers, 1)}
    return [f"{name}: {share:.4f}, the goal is {GOALS[name]}" for name, share in reached.items() if share < GOALS[name]]


def render(summary, rows, faults, broken):
    """The report as text."""
    lines = []
    for group, entry in summary.items():
        lines.append(f"{group}: {entry['compiled']} compiled, {entry['refused']} refused, {entry['excluded']} excluded of "
                     f"{entry['functions']} jit functions; {entry['share_compiled']} of those counted; {entry['how']}")
        lines.append(f"  accesses of tiles: {entry['boxes']} boxes, {entry['gathers']} gathers or scatters "
                     f"({entry['share_raised']} raised), {entry['atomics']} atomics")
    for row in rows:
        if row["status"] == "refused":
            lines.append(f"refused TW{row['code']} {row['function']} [{row['rule'] or 'NO RULE'}]")
            lines.append("    " + row["message"].split("\n\n")[0].replace("\n", "\n    "))
    for row in rows:
        if row["status"] == "excluded" and "vendor trees" not in row["group"]:
            lines.append(f"excluded {row['function']}: {row['reason']}")
    lines += [f"{entry['status']} {entry['library']}.{entry['name']}: {entry['detail']}" for entry in broken]
    lines += [f"FAULT {fault}" for fault in faults]
    return "\n".join(lines)
