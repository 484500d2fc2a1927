"""Proves that the fuzzer finds bugs: ten faults, one in each stage of the compiler, and the program that shows each.

The faults exist in a scratch copy of the sources only. All are built in at once, each behind a switch of that copy, so that
one build serves all. A fault whose text is gone from the sources has to be written anew.
"""
import dataclasses
import os
import pathlib
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
TARGETS = ["tilewright_python", "tilewright_cpu", "tilewright_cpu_driver", "tilewright_reference"]
SWITCH = """#include <cstdlib>
namespace {
/// Whether this process runs with a seeded fault.
[[maybe_unused]] bool isSeeded(int number) {
  const char *chosen = std::getenv("SEEDED_FAULT");
  return chosen && std::atoi(chosen) == number;
}
} // namespace
"""


@dataclasses.dataclass(frozen=True)
class Fault:
    stage: str
    what: str
    file: str
    old: str
    #: `SEEDED` stands for the switch of this fault.
    new: str
    #: Further lines for the top of the file.
    includes: str = ""


FAULTS = [
    Fault("syntax", "binary operators group to the right", "frontend/syntax/parse/ParseExpression.cpp",
          "parseBinary(row.precedence + 1)", "parseBinary(row.precedence + (SEEDED ? 0 : 1))"),
    Fault("compile-time folding", "// of negative numbers truncates", "frontend/sema/value/ConstantFolding.cpp",
          "return Value::integer(a.floorDiv(b));",
          "return Value::integer(SEEDED && a.isNegative() ? BigInt(0) - (BigInt(0) - a).floorDiv(b) : a.floorDiv(b));"),
    Fault("promotion", "of equal widths the signed type wins", "frontend/sema/emit/TypeRules.cpp",
          "return unsignedType.width() >= signedType.width() ? unsignedType : signedType;",
          "return unsignedType.width() >= signedType.width() + (SEEDED ? 1 : 0) ? unsignedType : signedType;"),
    Fault("control flow", "a changed name takes the first branch's value", "frontend/sema/flow/BranchMerger.cpp",
          "nameSlots.push_back({name, output(takenValue, otherValue)});",
          "nameSlots.push_back({name, output(takenValue, SEEDED ? takenValue : otherValue)});"),
    Fault("raising", "the negative of an index loses its sign behind a constant", "dialects/lowering/analysis/IndexExpression.cpp",
          "return negated ? addExpressions(*lhs, *negated) : std::nullopt;",
          "return negated ? addExpressions(*lhs, SEEDED && lhs->isUniform() ? *rhs : *negated) : std::nullopt;"),
    Fault("mask analysis", ">= counts as >", "dialects/lowering/analysis/MaskAnalysis.cpp",
          "case arith::CmpIPredicate::sge:\n    return {{-1, -1}};",
          "case arith::CmpIPredicate::sge:\n    return {{-1, SEEDED ? 0 : -1}};"),
    Fault("canonicalisation", "`if not c` loses the `not` and keeps the order of its branches", "dialects/kernel/Canonicalize.cpp",
          "    (void)applyPatternsGreedily(module, patterns, config);",
          """    if (SEEDED)
      module.walk([](scf::IfOp op) {
        if (auto inverse = op.getCondition().getDefiningOp<arith::XOrIOp>())
          op.getConditionMutable().assign(inverse.getLhs());
      });
    (void)applyPatternsGreedily(module, patterns, config);""",
          '#include "mlir/Dialect/Arith/IR/Arith.h"\n#include "mlir/Dialect/SCF/IR/SCF.h"\n'),
    Fault("cpu plan", "a load moves behind a store to what it reads", "backends/cpu/loops/plan/Aliasing.cpp",
          "bool Plan::isOverwritten(Operation &load, const ValueInfo &info) {",
          "bool Plan::isOverwritten(Operation &load, const ValueInfo &info) {\n  if (SEEDED)\n    return false;"),
    Fault("cpu scan", "the carried value stands on the wrong side", "backends/cpu/loops/Scan.cpp",
          "values = cloneCombine(combine, before, values, width);",
          "values = SEEDED ? cloneCombine(combine, values, before, width) : cloneCombine(combine, before, values, width);"),
    Fault("arithmetic expansion", "32-bit division goes through floats of 24 bits", "backends/math/exact/IntegerSemantics.cpp",
          "width <= 16 ? Type(e.builder.getF32Type())", "width <= (SEEDED ? 32 : 16) ? Type(e.builder.getF32Type())"),
]


def plant(source):
    """Puts every fault into a copy of the sources."""
    texts = {}
    for number, fault in enumerate(FAULTS, 1):
        text = texts.setdefault(fault.file, (source / fault.file).read_text())
        if text.count(fault.old) != 1:
            raise SystemExit(f"fault {number} ({fault.stage}) fits {text.count(fault.old)} places of {fault.file}, expected 1: "
                             "write it anew in test/fuzz/kernels/seeded.py")
        texts[fault.file] = text.replace(fault.old, fault.new.replace("SEEDED", f"isSeeded({number})"))
    for file, text in texts.items():
        start = text.index("#include")
        includes = "".join(fault.includes for fault in FAULTS if fault.file == file)
        (source / file).write_text(text[:start] + includes + SWITCH + text[start:])


def copy_sources(scratch):
    """Tracked files of the repository, as they are in the working tree."""
    source = scratch / "source"
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listing.decode().split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    return source


def cached(build, key):
    """An entry of a build folder's CMake cache."""
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return line.partition("=")[2]
    return ""


def build_copy(build, scratch):
    """Copies the sources, plants the faults and builds with the options of an existing build folder."""
    shutil.rmtree(scratch, ignore_errors=True)
    source = copy_sources(scratch)
    plant(source)
    keys = ["CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER",
            "CMAKE_EXE_LINKER_FLAGS", "CMAKE_SHARED_LINKER_FLAGS", "CMAKE_MODULE_LINKER_FLAGS", "MLIR_DIR", "Python_EXECUTABLE",
            "TILEWRIGHT_BUILD_PYTHON"]
    options = [f"-D{key}={cached(build, key)}" for key in keys if cached(build, key)]
    environment = dict(os.environ, CCACHE_BASEDIR=str(source),
                       CCACHE_SLOPPINESS="pch_defines,time_macros,include_file_mtime,include_file_ctime")
    made = scratch / "build"
    for command in (["cmake", "-G", "Ninja", "-S", source, "-B", made, *options], ["ninja", "-C", made, *TARGETS]):
        done = subprocess.run(list(map(str, command)), env=environment, text=True, capture_output=True)
        if done.returncode:
            raise SystemExit(done.stdout[-4000:] + done.stderr[-4000:])
    return made


def hunt(number, build, limit, jobs, seed):
    """(programs until the first finding, the finding), or (limit, None). Programs are examined in their order."""
    import campaign
    os.environ["SEEDED_FAULT"] = str(number)
    os.environ["PYTHONPATH"] = str(build / "python")
    found = []
    run = campaign.Campaign(seed, ["cpu"], True, found.append, stops=lambda: bool(found))
    try:
        run.run(range(limit), jobs)
    finally:
        os.environ.pop("SEEDED_FAULT")
    first = min(found, key=lambda finding: finding["number"], default=None)
    return (first["number"] + 1 if first else limit), first


def prove(build, limit, jobs, seed, built=None, chosen=None):
    """Hunts every fault, or those chosen by number, and prints the table; gives whether all were found."""
    made = pathlib.Path(built) if built else build_copy(pathlib.Path(build), pathlib.Path(build) / "seeded")
    print("fault | stage | bug | found by | program | seconds")
    missing = 0
    for number, fault in enumerate(FAULTS, 1):
        if chosen and number not in chosen:
            continue
        start = time.monotonic()
        program, finding = hunt(number, made, limit, jobs, seed)
        missing += finding is None
        by = f"{finding['kind']} {finding['target']} {finding['detail']}".strip() if finding else "NOT FOUND"
        print(f"{number} | {fault.stage} | {fault.what} | {by} | {program} | {time.monotonic() - start:.0f}", flush=True)
    return missing == 0
