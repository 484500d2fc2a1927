"""Calls at the edges of the operators' domains: empty tensors, many programs, odd strides, numbers that overflow or vanish.

Most of these calls repeat operators of the other tables; their rows are named `... (edges)`.
"""
import torch

from operators_table import OPERATORS, aten, case


def _edges(*names, **options):
    """Decorator of a case generator: rows beside the ones that the operators have already."""
    def register(cases):
        first = len(OPERATORS)
        aten(*names, **options)(cases)
        for operator in OPERATORS[first:]:
            operator.name += " (edges)"
        return cases
    return register


_SPECIAL = (0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38, float("inf"), -float("inf"),
            float("nan"), 88.7, 89.0, -87.4, -104.0, 0.5, -0.5, 1e-8, 16777216.0, 2147483648.0, 1e10)


def _special():
    return torch.tensor(_SPECIAL * 6)


@_edges("abs", "neg", "exp", "exp2", "expm1", "erf", "tanh", "sigmoid", "sqrt", "rsqrt", "reciprocal", "log", "log10",
        "isnan", "isinf", "isfinite", "signbit", "atan", "square", "logical_not")
def _special_numbers(draw):
    yield case(_special())


@_edges("sin", "cos", "tan")
def _large_angles(draw):
    yield case(draw.uniform((2000,), low=-1e4, high=1e4))
    yield case(torch.tensor([0.0, -0.0, 1e-30, 3.1415927, 1.5707964, 100000.0, float("inf"), float("nan")] * 8))


@_edges("ceil", "floor_", "round", widen=False)
def _halves(draw):
    yield case(torch.arange(-40, 40) / 2.0)
    yield case(torch.tensor([-0.5, 0.5, 1.5, 2.5, 8388607.5, 1e20, float("inf"), float("nan")] * 8))


@_edges("add.Tensor", "mul.Tensor", "sub.Tensor", "div.Tensor", "fmin", "eq.Tensor", "ne.Tensor", "lt.Tensor", "ge.Tensor",
        widen=False)
def _special_pairs(draw):
    grid = torch.tensor(_SPECIAL)
    yield case(grid[:, None].expand(22, 22).contiguous(), grid[None, :].expand(22, 22).contiguous())
    yield case(grid[:, None], grid[None, :])


@_edges("maximum", "minimum", widen=False)
def _special_extrema(draw):
    """Without NaN, which the library's kernels pass over."""
    grid = torch.tensor([value for value in _SPECIAL if value == value])
    yield case(grid[:, None], grid[None, :])


@_edges("add.Tensor", "sub.Tensor", "mul.Tensor")
def _whole_range(draw):
    for dtype, bits in ((torch.int32, 31), (torch.int64, 62), (torch.int16, 15)):
        x = draw.integers((3000,), torch.int64, -2**bits, 2**bits - 1).to(dtype)
        yield case(x, x.flip(0))


@_edges("floor_divide", "remainder.Tensor", widen=False)
def _whole_range_quotients(draw):
    x = draw.integers((3000,), torch.int64, -2**31, 2**31 - 1).to(torch.int32)
    y = draw.integers((3000,), torch.int32, 1, 1000)
    yield case(x, y)
    yield case(x, -y)


@_edges("abs", "exp", "relu", "neg", "sigmoid", "logical_not", "isnan")
def _unary_layouts(draw):
    yield case(torch.zeros((0,)))
    yield case(torch.zeros((3, 0, 5)))
    yield case(draw.normal((300, 700)))
    yield case(draw.normal((2, 3, 5, 7, 11)))
    yield case(draw.normal((9, 40)).t()[::3, ::2])
    yield case(draw.normal((1, 40)).expand(17, 40))


@_edges("add.Tensor", "mul.Tensor", "gt.Tensor", "maximum")
def _binary_layouts(draw):
    yield case(torch.zeros((3, 0)), torch.zeros((3, 0)))
    yield case(draw.normal((300, 700)), draw.normal((700,)))
    yield case(draw.normal((4, 1, 6, 1)), draw.normal((1, 5, 1, 7)))
    yield case(draw.normal((9, 40)).t(), draw.normal((40, 9)))
    yield case(draw.normal((40, 18))[:, ::2], draw.normal((9, 40)).t())


@_edges("sum", "mean", "max", "min", "any", "all")
def _whole_reductions(draw):
    for count in (1, 2, 1023, 1025, 300000):
        yield case(draw.normal((count,)))


@_edges("sum.dim_IntList", "amax", "mean.dim", terms=1000)
def _long_reductions(draw):
    for shape in ((2, 40000), (40000, 2), (1, 1), (3, 700, 5)):
        yield case(draw.normal(shape), [1 if len(shape) == 3 else -1])
        yield case(draw.normal(shape), [0])


@_edges("cumsum", terms=4000)
def _long_scans(draw):
    yield case(draw.normal((3, 40000)), 1)
    yield case(draw.normal((5, 3000, 3)), 1)
    yield case(draw.integers((3, 5000), torch.int64), 1)


@_edges("_softmax", "_log_softmax")
def _wide_softmax(draw):
    yield case(draw.normal((2, 40000)), 1, False)
    yield case(draw.normal((5, 70, 3)) * 30, 1, False)
    yield case(torch.full((3, 100), -1e30), 1, False)


@_edges("sort", widen=False)
def _sort_special(draw):
    x = draw.distinct((3, 3000))
    x[0, 5], x[1, 7] = float("inf"), -float("inf")
    yield case(x, -1, False)
    yield case(draw.distinct((2, 200, 3)), 1, True)


@_edges("mm", terms=600)
def _products(draw):
    yield case(draw.normal((1, 1)), draw.normal((1, 1)))
    yield case(draw.normal((200, 600)), draw.normal((600, 150)))
    yield case(draw.normal((70, 33)).t(), draw.normal((45, 70)).t())
    yield case(draw.normal((17, 64), torch.float16), draw.normal((64, 300), torch.float16))


@_edges("index_select")
def _many_indices(draw):
    yield case(draw.normal((1000, 33)), 0, draw.integers((4000,), torch.int64, 0, 1000))


@_edges("nonzero", widen=False)
def _sparse(draw):
    x = torch.zeros((300, 500))
    x[7, 3] = x[299, 499] = 1
    yield case(x)
    yield case(torch.zeros((5, 5)))


@_edges("cat")
def _many_tensors(draw):
    yield case([draw.normal((3, 5)) for _ in range(19)], 0)
    yield case([draw.normal((4, 300)).t(), draw.normal((300, 6))], 1)
