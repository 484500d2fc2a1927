"""Baselines: figures of an earlier run in a file, and what a new run is against them. Format: docs/formats.md, "Baselines"."""
import json
import os
import pathlib
import platform

from .. import engine, testing
from ..errors import BaselineError

_KIND = "tilewright-baseline"
_FIELDS = {"unit", "median", "error"}


def machine():
    """What figures depend on besides the code: processor, how many of them, and the device that kernels run on."""
    return {"system": f"{platform.system()} {platform.machine()}", "processor": _processor(),
            "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
            "device": _device()}


def _processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def _device():
    if testing.has_cuda():
        import torch
        return torch.cuda.get_device_name()
    return engine.device("cpu").name()


def save(path, figures):
    """Writes the figures of this machine."""
    cases = {name: {"unit": figure.unit, "median": figure.median, "error": figure.error} for name, figure in figures.items()}
    document = {"kind": _KIND, "version": 1, "machine": machine(), "cases": cases}
    pathlib.Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def load(path, names, whole=True):
    """{name: row} of a file; BaselineError TW7208 if it is no baseline, of another machine, or of other cases than `names`.
    `whole`: it may not have more cases either."""
    try:
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _refused(path, str(error)) from None
    if not isinstance(document, dict) or (document.get("kind"), document.get("version")) != (_KIND, 1):
        raise _refused(path, f"expected kind '{_KIND}' and version 1")
    cases, here = document.get("cases"), machine()
    if not isinstance(cases, dict) or not all(isinstance(row, dict) and set(row) == _FIELDS for row in cases.values()):
        raise _refused(path, f"expected cases with {', '.join(sorted(_FIELDS))}")
    there = document.get("machine")
    if there != here:
        differing = [key for key in here if not isinstance(there, dict) or there.get(key) != here[key]]
        was = {key: there.get(key) if isinstance(there, dict) else None for key in differing}
        raise _refused(path, "expected a baseline of this machine, got one of another: " + "; ".join(
            f"{key} was {was[key]!r} and is {here[key]!r}" for key in differing))
    lacking = [name for name in names if name not in cases]
    gone = [name for name in cases if name not in names] if whole else []
    if lacking or gone:
        raise _refused(path, "expected the cases of this run, got " + " and ".join(
            f"{'none' if listed is lacking else 'also one'} for {', '.join(listed)}" for listed in (lacking, gone) if listed))
    return {name: cases[name] for name in names}


def _refused(path, what):
    return BaselineError(f"TW7208: '{path}' is no baseline for this run: {what}\n"
                         "  hint: make one of the code to compare with, on this machine, with --save", 7208)


def slowdown(row, figure, path):
    """(how many times slower a case is than its row, what part of that noise explains: three standard errors of both)."""
    if row["unit"] != figure.unit:
        raise _refused(path, f"expected figures in '{figure.unit}', got '{row['unit']}'")
    noise = 3.0 * ((row["error"] / row["median"]) ** 2 + (figure.error / figure.median) ** 2) ** 0.5
    return figure.median / row["median"], noise
