"""Every module of Triton 3.6 either imports under the stand-in or says with TW6065 what to use instead."""
import importlib
import importlib.util
import pathlib
import subprocess
import sys

import pytest

import tilewright.triton
from tilewright.triton.absent import INSTEAD

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/triton.md"

#: Modules as `pkgutil.walk_packages` lists those of Triton 3.6.0, below "triton.".
THERE = """
backends backends.compiler compiler compiler.compiler compiler.errors errors knobs language language.core language.extra language.extra.cuda
language.extra.cuda.libdevice language.extra.hip language.extra.hip.libdevice language.extra.libdevice language.math language.random
language.semantic language.standard runtime runtime._allocation runtime.autotuner runtime.cache runtime.driver runtime.errors runtime.jit testing
tools tools.tensor_descriptor
""".split()
ABSENT = """
_C _C.libtriton _filecheck _internal_testing _utils backends.amd backends.amd.compiler backends.amd.driver backends.driver backends.nvidia
backends.nvidia.compiler backends.nvidia.driver compiler.code_generator compiler.make_launcher experimental experimental.gluon
experimental.gluon._runtime experimental.gluon.amd experimental.gluon.language experimental.gluon.language._layouts
experimental.gluon.language.amd.cdna3 experimental.gluon.language.nvidia.blackwell experimental.gluon.language.nvidia.hopper.tma
experimental.gluon.nvidia.hopper language.extra.cuda.gdc language.extra.cuda.utils language.extra.hip.utils language.target_info profiler
profiler.context profiler.flags profiler.hooks profiler.hooks.hook profiler.hooks.instrumentation profiler.hooks.launch profiler.language
profiler.mode profiler.profile profiler.proton profiler.scope profiler.specs profiler.state profiler.viewer runtime._async_compile runtime.build
runtime.interpreter tools.build_extern tools.compile tools.disasm tools.link tools.mxfp tools.ragged_tma
""".split()


@pytest.fixture(autouse=True)
def installed():
    """Leaves `triton` to the other files of tests as it was."""
    was_installed = tilewright.triton.is_installed()
    if not was_installed:
        tilewright.triton.install()
    yield
    if not was_installed:
        tilewright.triton.uninstall()


@pytest.mark.parametrize("name", THERE)
def test_module_is_there(name):
    assert importlib.import_module(f"triton.{name}").__doc__


@pytest.mark.parametrize("name", ABSENT)
def test_module_says_what_to_use_instead(name):
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(f"triton.{name}")
    text, hint = str(caught.value).split("\n")
    parts = name.split(".")
    missing = next(above for above in (".".join(parts[:count]) for count in range(1, len(parts) + 1)) if above not in THERE)
    assert text == f"TW6065: the module 'triton.{missing}' has no counterpart in Tilewright, which runs as 'triton' here"
    assert hint.startswith("  hint: use ") and hint.removeprefix("  hint: use ") in INSTEAD.values()


@pytest.mark.parametrize("statement", ["import triton.profiler as proton", "from triton import profiler", "from triton.profiler import scope",
                                       "import triton.profiler.language", "from triton.experimental import gluon"])
def test_every_form_of_import_says_it(statement):
    with pytest.raises(ImportError, match="TW6065.*\n  hint: use "):
        exec(statement, {})


def test_programs_that_ask_get_an_answer():
    import triton
    assert importlib.util.find_spec("triton.profiler") is None and importlib.util.find_spec("triton.tools.mxfp") is None
    assert importlib.util.find_spec("triton.testing") is not None
    assert not hasattr(triton, "profiler")
    try:
        import triton.profiler
    except ImportError as error:
        found = error
    assert type(found) is ModuleNotFoundError


def test_modules_of_others_are_not_refused():
    with pytest.raises(ModuleNotFoundError, match="^No module named 'triton_of_somebody'$"):
        importlib.import_module("triton_of_somebody")


def test_uninstall_takes_the_refusals_away():
    program = "import tilewright.triton as t; t.install(); t.install(); t.uninstall(); import sys; print(sys.meta_path)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "tilewright" not in done.stdout and "Absent" not in done.stdout


def test_settings_and_objects_say_it():
    import triton
    for refused in (lambda: setattr(triton.knobs.runtime, "interpret", True), lambda: setattr(triton.knobs.compilation, "dump_ir", True),
                    lambda: setattr(triton.knobs.runtime, "launch_enter_hook", print), lambda: triton.compiler.make_backend(None),
                    lambda: triton.runtime.cache.get_cache_manager("key").put(b"", "file")):
        with pytest.raises(NotImplementedError, match="TW6065.*\n  hint: use "):
            refused()


def test_the_page_shows_the_table():
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| `triton")]
    assert {name.strip("`"): use for name, use in rows} == INSTEAD
