"""Configuration of the lit tests: a test is a file with RUN lines, run by lit's own shell.

Use from a build tree: `lit -v <build>/test`.
"""
import os

import lit.formats

config.name = "Tilewright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".lit.py", ".mlir", ".test"]  # other Python files belong to ctest and pytest
config.excludes = [
    "CMakeLists.txt",
    "Inputs",
    "benchmark",
    "check.py",
    "conftest.py",
    "language",
    "lit.cfg.py",
    "lit.site.cfg.py",
    "python",
    "tools",
    "unit",
]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tilewright_build_dir, "test")

tool_dirs = [config.tilewright_bin_dir, config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(tool_dirs + [config.environment.get("PATH", "")])
config.substitutions.append(("%source_dir", config.tilewright_source_dir))
config.substitutions.append(("%build_dir", config.tilewright_build_dir))
config.substitutions.append(("%lib_dir", config.tilewright_lib_dir))
config.substitutions.append(("%shlibext", ".so"))
