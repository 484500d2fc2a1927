"""Compiles every `@triton.jit` function of flag-gems and liger-kernel to Kernel IR and says how that went.

    python test/conformance/kernels.py --report kernels.json [--only REGEX]

Needs an environment with torch, flag-gems and liger-kernel and the built package on PYTHONPATH. Signatures come from the
libraries' own launches where one of the operator tables reaches them, else they are derived (`kernels_signature.py`).
"""
import argparse
import collections
import importlib
import os
import pathlib
import re
import sys
import tempfile
import types

import operators_device

_TABLES = ("tables.aten_pointwise", "tables.aten_reductions", "tables.aten_linear", "tables.aten_shapes",
           "tables.experimental", "tables.fused", "tables.liger")


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=pathlib.Path, help="the JSON file to write, with a text file beside it")
    parser.add_argument("--only", default="", help="a regular expression for file:name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one function")
    parser.add_argument("--target", action="append", default=[], metavar="TARGET",
                        help="compile for this GPU target too; what the first compiles, the others have to compile")
    parser.add_argument("--share", metavar="K/N", default="0/1", help="every N-th kernel for the targets")
    parser.add_argument("--derive", action="store_true", help="derive every signature, record no launches")
    return parser.parse_args()


def _operators():
    """The rows of the operator tables that are there."""
    import operators_table
    for table in _TABLES:
        if importlib.util.find_spec(table):
            importlib.import_module(table)
    return operators_table.OPERATORS


def _pool(items, work, arguments):
    """Results of work(item) in processes of their own."""
    import operators_pool
    results = []

    def report(row):
        results.append(row)
        if len(results) % 50 == 0:
            print(f"  {len(results)} of {len(items)}", flush=True)

    operators_pool.run_all(items, work, arguments.jobs, arguments.limit, report)
    return results


def _recorded(functions, modules, arguments):
    """Compiles by place of the kernel, and what went wrong outside of the compiler."""
    import kernels_record
    items = [types.SimpleNamespace(library=operator.library, name=operator.name, operator=operator)
             for operator in _operators()]
    items += [types.SimpleNamespace(library=function.library, name=function.label, operator=None, function=function)
              for function in functions if function.pointwise]

    def work(item):
        if item.operator is not None:
            rows, problem = kernels_record.record_operator(item.operator, modules[item.library])
        else:
            rows, problem = kernels_record.record_pointwise(item.function.pointwise)
            for row in rows:
                row["scalar_function"] = kernels_record.place_of(item.function.kernel)
        return {"library": item.library, "name": item.name, "rows": rows, "problem": problem}

    print(f"recording the launches of {len(items)} operators")
    return _pool(items, work, arguments)


def _derived(functions, arguments, flags=(False, True), called=False):
    """The first derived signature of each function that compiles, or what the likeliest one gave; `called` puts a kernel
    around the function that calls it."""
    import kernels_record
    import kernels_signature
    import kernels_usage
    usages = kernels_usage.Usages()
    make = kernels_signature.call_candidates if called else kernels_signature.candidates
    items = [types.SimpleNamespace(library=function.library, name=function.label, function=function)
             for function in functions]

    def work(item):
        rows = []
        for signature, options, tree in make(item.function, usages, flags):
            row, _ = kernels_record.compile_to_kernel(item.function.kernel, signature, options, tree)
            rows.append({**row, "kernel": kernels_record.place_of(item.function.kernel)})
            if row["code"] == 0:
                break
        good = [row for row in rows if row["code"] == 0]
        return {"library": item.library, "name": item.name, "rows": good or rows[:1], "problem": "", "tried": len(rows)}

    print(f"deriving signatures for {len(items)} functions")
    return _pool(items, work, arguments)


def main():
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        operators_device.install(folder, "cpu")
        import torch
        torch.set_num_threads(1)
        import kernels_find
        import kernels_record
        import kernels_report
        import kernels_targets
        kernels_record.targets = kernels_targets.Targets(arguments.target, arguments.share, folder)
        kernels_find.keep_all()
        modules = operators_device.import_libraries()
        functions = kernels_find.sources()
        kernels_find.import_modules(functions)
        kernels_find.attach(functions)
        report = kernels_report.Report(functions)
        wanted = [function for function in functions if re.search(arguments.only, function.label)]
        if not arguments.derive:
            report.add(_recorded(wanted, modules, arguments), "recorded")
        missing = [function for function in wanted if report.needs_signature(function)]
        report.add(_derived(missing, arguments), "derived")
        # Kernels that may inline what nothing has inlined yet, with their flags on.
        report.add(_derived([function for function in wanted if report.calls_uncovered(function)], arguments, flags=(True,)),
                   "derived", only_good=True)
        missing = [function for function in wanted if report.is_uncovered(function)]
        report.add(_derived(missing, arguments, called=True), "derived", only_good=True)
        missing = [function for function in wanted if report.is_unknown(function)]
        report.add(_derived(missing, arguments), "derived")
        status = report.finish(wanted, arguments.report)
        return 1 if kernels_record.targets.report(arguments.report) else status


if __name__ == "__main__":
    sys.exit(main())
