"""What `check=uninit` and `check=races` of the reference find, name and leave alone."""
import re

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl


def line_of(kernel, text):
    """Number of the only line of a kernel that contains a text."""
    first = kernel.fn.__code__.co_firstlineno
    lines = [first + i for i, line in enumerate(kernel.tree.text.splitlines()[first - 1:]) if text in line]
    return lines[0]


def refuses(code, *texts):
    """A launch that must fail with a code and, somewhere in the message, with texts."""
    return pytest.raises(tw.TilewrightError, match=f"TW{code}: " + "".join(f"(?=.*{re.escape(text)})" for text in texts))


@tw.jit
def copy_kernel(source, target, n, BLOCK: tl.constexpr):
    """target[:n] = source[:n]."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(source + at, mask=at < n)
    tl.store(target + at, value, mask=at < n)


@tw.jit
def half_kernel(target, BLOCK: tl.constexpr):
    """Writes the elements of even number."""
    at = tl.arange(0, BLOCK)
    tl.store(target + at, at, mask=at % 2 == 0)


@pytest.mark.parametrize("raises", [0, 1])
def test_reads_of_unwritten_memory_are_found(raises):
    source, out = tw.empty(8, np.int32, "reference"), np.zeros(8, np.int32)
    options = {"target": "reference", "check": "uninit", "raise": raises}
    half_kernel[(1,)](source, BLOCK=8, **options)
    with refuses(6036, "index 1 of argument 'source'") as caught:
        copy_kernel[(1,)](source, out, 8, BLOCK=8, **options)
    assert re.search(r"test_reference_checks.py:\d+", str(caught.value)), caught.value
    copy_kernel[(1,)](source, out, 1, BLOCK=8, **options)  # masked-off elements are not read
    source.write(np.arange(8))
    copy_kernel[(2,)](source, out, 8, BLOCK=8, **options)
    np.testing.assert_array_equal(out, np.arange(8))


def test_stores_of_launches_without_checks_count():
    memory, out = tw.empty(8, np.int32, "reference"), np.zeros(8, np.int32)
    copy_kernel[(1,)](np.arange(8, dtype=np.int32), memory, 8, BLOCK=8, target="reference")
    copy_kernel[(1,)](memory, out, 8, BLOCK=8, target="reference", check="uninit")
    np.testing.assert_array_equal(out, np.arange(8))


def test_bytes_of_an_element_count_one_by_one():
    memory = tw.empty(8, np.int16, "reference")
    half_kernel[(1,)](memory, BLOCK=8, target="reference")
    with refuses(6036, "index 0 of argument 'source'"):
        copy_kernel[(1,)](Reinterpreted(memory, np.int32), np.zeros(4, np.int32), 4, BLOCK=4, target="reference",
                          check="uninit")


class Reinterpreted:
    """The memory of a device array as elements of another type."""

    def __init__(self, array, dtype):
        self.dtype = np.dtype(dtype)
        self.device, self.data_ptr = array.device, array.data_ptr
        self.shape = (array.shape[0] * array.element_size() // self.dtype.itemsize,)
        self.element_size, self.stride = (lambda: self.dtype.itemsize), (lambda: (1,))


@tw.jit
def atomic_kernel(counter, EXCHANGE: tl.constexpr, USES: tl.constexpr, out):
    """An update of one counter."""
    if EXCHANGE:
        old = tl.atomic_xchg(counter, 3)
    else:
        old = tl.atomic_add(counter, 3)
    if USES:
        tl.store(out, old)


@pytest.mark.parametrize("exchange, uses, reads", [(False, False, True), (False, True, True), (True, True, True),
                                                   (True, False, False)])
def test_atomics_read_memory_unless_they_only_store(exchange, uses, reads):
    counter, out = tw.empty(1, np.int32, "reference"), np.zeros(1, np.int32)

    def launch():
        atomic_kernel[(1,)](counter, EXCHANGE=exchange, USES=uses, out=out, target="reference", check="uninit")

    if not reads:
        launch()
        assert counter.numpy() == 3
        return
    with refuses(6036, "index 0 of argument 'counter'"):
        launch()


@tw.jit
def overlap_kernel(out, width, BLOCK: tl.constexpr):
    """Blocks `width` apart, which overlap when BLOCK is larger."""
    at = tl.program_id(0) * width + tl.arange(0, BLOCK)
    tl.store(out + at, 1)


@pytest.mark.parametrize("raises", [0, 1])
def test_stores_of_two_programs_race(raises):
    options = {"target": "reference", "check": "races", "raise": raises}
    overlap_kernel[(4,)](np.zeros(64, np.int32), 8, BLOCK=8, **options)
    with refuses(6037, "index 6 of argument 'out'", "a store of program (1, 0, 0)", "a store of program (0, 0, 0)",
                 f"at line {line_of(overlap_kernel, 'tl.store(out')}"):
        overlap_kernel[(4,)](np.zeros(64, np.int32), 6, BLOCK=8, **options)


@tw.jit
def neighbour_kernel(data, BLOCK: tl.constexpr):
    """Adds the element behind the block to the block."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    right = tl.load(data + at + 1)
    tl.store(data + at, right)


def test_a_load_races_with_the_store_of_another_program():
    with refuses(6037, "index 8 of argument 'data'", "a store of program (1, 0, 0)", "a load of program (0, 0, 0)",
                 f"at line {line_of(neighbour_kernel, 'right = tl.load')}"):
        neighbour_kernel[(2,)](np.zeros(17, np.int32), BLOCK=8, target="reference", check="races")
    neighbour_kernel[(1,)](np.zeros(17, np.int32), BLOCK=8, target="reference", check="races")


@tw.jit
def count_kernel(counter, out, SEM: tl.constexpr, SCOPE: tl.constexpr):
    """Every program stores to its place; the last one to count adds all up."""
    pid = tl.program_id(0)
    tl.store(out + pid, pid + 1)
    before = tl.atomic_add(counter, 1, sem=SEM, scope=SCOPE)
    if before == tl.num_programs(0) - 1:
        total = tl.sum(tl.load(out + tl.arange(0, 4)))
        tl.store(out + 4, total)


@pytest.mark.parametrize("raises", [0, 1])
def test_release_and_acquire_order_programs(raises):
    options = {"target": "reference", "check": "races", "raise": raises}
    out = np.zeros(5, np.int32)
    count_kernel[(4,)](np.zeros(1, np.int32), out, SEM="acq_rel", SCOPE="gpu", **options)
    np.testing.assert_array_equal(out, [1, 2, 3, 4, 10])
    for sem in ("relaxed", "acquire", "release"):
        with refuses(6037, "index 0 of argument 'out'", "a load of program (3, 0, 0)", "a store of program (0, 0, 0)"):
            count_kernel[(4,)](np.zeros(1, np.int32), out, SEM=sem, SCOPE="gpu", **options)
    with refuses(6037, "index 0 of argument 'counter'"):  # cta is atomic within a program only
        count_kernel[(4,)](np.zeros(1, np.int32), out, SEM="acq_rel", SCOPE="cta", **options)


@tw.jit
def locked_kernel(lock, total, BLOCK: tl.constexpr):
    """Adds to a row that a lock guards."""
    at = tl.arange(0, BLOCK)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total + at, tl.load(total + at) + tl.program_id(0))
    tl.atomic_xchg(lock, 0)


def test_a_lock_orders_what_it_guards():
    total = np.zeros(8, np.int32)
    locked_kernel[(5,)](np.zeros(1, np.int32), total, BLOCK=8, target="reference", check="races")
    np.testing.assert_array_equal(total, np.full(8, 10))


@tw.jit
def mixed_kernel(cell, out, VOLATILE: tl.constexpr):
    """Program 0 updates a cell, the others look at it."""
    if tl.program_id(0) == 0:
        tl.atomic_add(cell, 1)
    else:
        tl.store(out + tl.program_id(0), tl.load(cell, volatile=VOLATILE))


def test_a_plain_load_races_with_an_atomic_and_a_volatile_one_does_not():
    cell, out = np.zeros(1, np.int32), np.zeros(2, np.int32)
    mixed_kernel[(2,)](cell, out, VOLATILE=True, target="reference", check="races")
    with refuses(6037, "index 0 of argument 'cell'", "a load of program (1, 0, 0)", "an atomic of program (0, 0, 0)"):
        mixed_kernel[(2,)](cell, out, VOLATILE=False, target="reference", check="races")


def forgets_mask(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i), mask=i < n)


@pytest.mark.parametrize("decorated", [False, True])
def test_interpreted_kernels_are_checked(decorated):
    """`interpret=True` at the decorator or at the launch."""
    kernel = tw.jit(forgets_mask, interpret=True) if decorated else tw.jit(forgets_mask)
    options = {} if decorated else {"interpret": True}
    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    for _ in range(2):  # the second launch takes the fast path
        compiled = kernel[(1,)](x, out, 8, BLOCK=8, **options)
        assert compiled.target.startswith("reference") and (out == x).all()
    with pytest.raises(tw.LaunchError, match="TW6032: .*expected an index from 0 to 4"):
        kernel[(1,)](x[:5], out, 5, BLOCK=8, **options)
    plain = tw.jit(forgets_mask)[(1,)](x, out, 8, BLOCK=8, interpret=False)
    assert plain.target.startswith("cpu")
