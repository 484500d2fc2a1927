"""Variables that a kernel reads: it is compiled anew when one of them means something else, also through the fast path."""
import importlib
import linecache
import sys
import types

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

SETTINGS = types.ModuleType("settings_of_this_test")
ROWS = [2, 3]
NESTED = tl.constexpr((1, [2]))


@tw.jit
def doubled(x):
    return x * 2


@tw.jit
def quintupled(x):
    return x * 5


class Family:
    FACTOR = 2
    apply = doubled


@tl.constexpr
def factor_of(x):
    return x * ROWS[0]


@tw.jit
def reads_module(out):
    tl.store(out, SETTINGS.FACTOR * 1.0)


@tw.jit
def reads_list(out):
    tl.store(out, ROWS[0] * 1.0)


@tw.jit
def reads_nested_list(out):
    tl.store(out, NESTED[1][0] * 1.0)


@tw.jit
def reads_list_in_function(out):
    tl.store(out, factor_of(1.0))


@tw.jit
def reads_class(out):
    tl.store(out, Family.FACTOR * 1.0)


@tw.jit
def calls_class(out):
    tl.store(out, Family.apply(1.0))


def change_module(value):
    SETTINGS.FACTOR = tl.constexpr(value)


def change_list(value):
    ROWS[0] = value


def change_nested_list(value):
    NESTED.value[1][0] = value


def change_class(value):
    Family.FACTOR = value


def change_helper(value):
    Family.apply = {2: doubled, 5: quintupled}[value]


@pytest.mark.parametrize("kernel, change", [(reads_module, change_module), (reads_list, change_list),
                                            (reads_nested_list, change_nested_list), (reads_list_in_function, change_list),
                                            (reads_class, change_class), (calls_class, change_helper)])
@pytest.mark.parametrize("is_tuned", [False, True])
def test_what_is_read_through_others_is_followed(kernel, change, is_tuned):
    launched, out = tw.autotune([tw.Config({})], key=[])(kernel) if is_tuned else kernel, np.zeros(1, np.float32)
    for value in (2, 2, 5, 5, 2):
        change(value)
        for _ in range(2):
            out[0] = 0
            launched[(1,)](out)
            assert out[0] == value


def test_constants_cannot_be_set():
    with pytest.raises(AttributeError):
        NESTED.value = 3


@tw.jit
def reads_what_comes_later(out):
    tl.store(out, defined_later(1.0) + SETTINGS.LATER)


def test_what_is_defined_after_an_error_is_found():
    out = np.zeros(1, np.float32)
    with pytest.raises(tw.CompilationError, match="defined_later"):
        reads_what_comes_later[(1,)](out)
    globals()["defined_later"] = doubled
    with pytest.raises(tw.CompilationError, match="LATER"):
        reads_what_comes_later[(1,)](out)
    SETTINGS.LATER = 1
    reads_what_comes_later[(1,)](out)
    assert out[0] == 3


KERNEL = """import tilewright as tw, tilewright.language as tl

@tl.constexpr
def computed(x):
    return x * 3

@tw.jit
def helper(x):
    return x * 2

@tw.jit
def kernel(out):
    tl.store(out, helper(1.0) + computed(1))
"""


def test_the_text_is_that_of_the_import(tmp_path, monkeypatch):
    """An editor saves the file between import and first launch: the process runs what it imported, until it imports again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "edited_by_this_test.py"
    file.write_text(KERNEL)
    module = importlib.import_module(file.stem)
    file.write_text("# one line more\n" + KERNEL.replace("* 2", "* 50").replace("* 3", "* 70"))
    out = np.zeros(1, np.float32)
    module.kernel[(1,)](out)
    assert out[0] == 5
    importlib.invalidate_caches()
    importlib.reload(module).kernel[(1,)](out)
    assert out[0] == 120
    del sys.modules[file.stem]


CELL = """@tw.jit
def helper_of_a_cell(x):
    return x + unknown_name


@tw.jit
def kernel_of_a_cell(out):
    tl.store(out, helper_of_a_cell(1.0))
"""


@pytest.mark.parametrize("lines_before", [0, 1, 2, 5])
def test_lines_of_notebook_cells_are_true(lines_before):
    """A cell may begin with the decorator: then there is no line above it."""
    cell, text = f"<cell {lines_before}>", "\n" * lines_before + CELL
    linecache.cache[cell] = (len(text), None, text.splitlines(keepends=True), cell)
    names = {"tw": tw, "tl": tl}
    exec(compile(text, cell, "exec"), names)
    with pytest.raises(tw.CompilationError, match=f"{cell}:{lines_before + 3}:16: error: TW2171"):
        names["kernel_of_a_cell"][(1,)](np.zeros(1, np.float32))
    names["unknown_name"] = 4
    out = np.zeros(1, np.float32)
    trace = tw.debug(names["kernel_of_a_cell"], show=False)[(1,)](out)
    assert out[0] == 5 and [line.number - lines_before for line in trace.lines] == [7, 8, 2, 3]
