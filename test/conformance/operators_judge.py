"""Runs one operator's cases and compares with the expected values, at the library's own tolerances.

Statuses of a row: `right`; `wrong`; `refused`, with our code; `host`, where the library refuses tensors in host memory or
answers without launching a kernel; `failed`, any other Python error; `crash` and `hang` come from the pool.
"""
import copy
import re
import time
import traceback

import torch

from operators_device import Mover, on_device
from operators_draw import Draw
from operators_table import expected_values, flat_tensors, map_tensors

#: From worst to best; a row is as good as its worst case.
STATUSES = ("wrong", "failed", "refused", "host", "right")
#: What the libraries say when a tensor is not on a GPU.
_WANTS_GPU = re.compile(r"\bCUDA\b|\bcuda\b|on device|CPU only")


def run_operator(operator, module, counter, on_gpu=False):
    """The row of the report for one operator: status, number of cases, code and detail of the worst case. `on_gpu`: the
    library's operator gets its tensors there, the expected values are computed by the host all the same."""
    row = {"library": operator.library, "name": operator.name, "status": "right", "cases": 0, "right": 0, "detail": ""}
    start = time.monotonic()
    try:
        for call in operator.cases(Draw()):
            row["cases"] += 1
            status, code, detail = _run_case(operator, module, call, counter, on_gpu)
            row["right"] += status == "right"
            if STATUSES.index(status) < STATUSES.index(row["status"]):
                row.update(status=status, code=code, detail=f"{call.label}: {detail}")
    except Exception as error:  # The table itself is at fault.
        row.update(status="failed", code="", detail=f"table: {_last_lines(error)}")
    row["seconds"] = round(time.monotonic() - start, 2)
    return row


def _run_case(operator, module, call, counter, on_gpu):
    """(status, code, detail) of one call."""
    expected, expected_arguments = expected_values(operator, call)
    args, kwargs = copy.deepcopy((call.args, call.kwargs))
    before = counter.launches
    try:
        function = operator.function(module)
        if on_gpu:
            args, kwargs = map_tensors(Mover(), (args, kwargs))
            results = function(*args, **kwargs)
            results, args, kwargs = map_tensors(lambda tensor: tensor.detach().cpu(), (results, args, kwargs))
        else:
            with on_device():
                results = function(*args, **kwargs)
    except Exception as error:
        return (*_classified(error), _last_lines(error))
    results, expected = flat_tensors(results), flat_tensors(expected)
    if operator.judge is not None:
        difference = operator.judge(results, expected, call)
    else:
        terms = operator.terms(call) if callable(operator.terms) else operator.terms
        compare = operator.tolerance or _gems_tolerance(terms)
        difference = _compare_all("result", results, expected, compare) or _compare_all(
            "argument", flat_tensors((args, kwargs)), flat_tensors(expected_arguments), compare)
    if difference:
        return "wrong", "", difference
    is_empty = all(isinstance(value, torch.Tensor) and value.numel() == 0 for value in expected)
    return ("right", "", "") if counter.launches > before or is_empty else ("host", "", "no kernel was launched")


def _classified(error):
    """("refused", code) for an error of ours, also when the library wrapped it; else ("host" or "failed", "")."""
    wants_gpu = _WANTS_GPU.search(str(error)) and not isinstance(error, AttributeError)
    while error is not None:
        code = getattr(error, "code", None)
        found = re.match(r"(?:.*\n)*?.*?\b(TW\d{4})\b", str(error))
        if found or (code and type(error).__module__.startswith("tilewright")):
            return "refused", found.group(1) if found else f"TW{code}"
        error = error.__cause__ or error.__context__
    return "host" if wants_gpu else "failed", ""


def _last_lines(error):
    """The message of an error with the place it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.split('site-packages/')[-1]}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {str(error).strip()[:1500]}{place}"


def _gems_tolerance(terms):
    """flag-gems' own comparison, with its table of tolerances by type."""
    def compare(result, expected):
        import flag_gems
        flag_gems.testing.assert_close(result, expected, expected.dtype, equal_nan=True, reduce_dim=terms)
    return compare


def by_type(tolerances):
    """A comparison with {dtype: (absolute, relative)}; other types have to be equal."""
    def compare(result, expected):
        absolute, relative = tolerances.get(expected.dtype, (0.0, 0.0))
        torch.testing.assert_close(result, expected, atol=absolute, rtol=relative, equal_nan=True)
    return compare


def _compare_all(kind, results, expected, compare):
    """What differs first, or None."""
    if len(results) != len(expected):
        return f"expected {len(expected)} {kind}s, got {len(results)}"
    for number, (result, wanted) in enumerate(zip(results, expected)):
        difference = _difference(result, wanted, compare)
        if difference:
            return f"{kind} {number}: {difference}"
    return None


def _difference(result, wanted, compare):
    if not isinstance(wanted, torch.Tensor):
        same = result.item() == wanted if isinstance(result, torch.Tensor) else result == wanted or result is None
        return None if same else f"expected {wanted}, got {result}"
    if not isinstance(result, torch.Tensor):
        return None if wanted.numel() == 1 and wanted.item() == result else f"expected a tensor, got {result}"
    if result.shape != wanted.shape or result.dtype != wanted.dtype:
        return f"expected {wanted.dtype} {list(wanted.shape)}, got {result.dtype} {list(result.shape)}"
    try:
        compare(result, wanted)
    except AssertionError as error:
        return " ".join(str(error).split())[:400]
    return None
