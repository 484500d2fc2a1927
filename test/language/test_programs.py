"""Small programs that combine features; each was written to break a compiler. The tables are in small_programs/, by subject."""
import pytest

from small_programs import control, floats, integers, kernels, memory, reductions

ROWS = [row for table in (integers, floats, memory, control, reductions, kernels) for row in table.ROWS]


@pytest.mark.parametrize("body, expected, inputs, options", ROWS)
def test_program(machine, body, expected, inputs, options):
    machine.check(body, expected, inputs, **options)
