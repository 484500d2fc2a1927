"""Draws the operators' inputs: the same numbers in every run."""
import torch

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int16, torch.int32, torch.int64)
#: Shapes of elementwise operators: scalar, one and more blocks, odd extents, three axes.
SHAPES = ((), (1,), (1000,), (17, 130), (3, 5, 33))


class Draw:
    """Random tensors from one seeded generator."""

    def __init__(self, seed=0):
        self.generator = torch.Generator().manual_seed(seed)

    def uniform(self, shape, dtype=torch.float32, low=0.0, high=1.0):
        """Numbers in [low, high)."""
        drawn = torch.rand(shape, generator=self.generator, dtype=torch.float64) * (high - low) + low
        return drawn.to(dtype)

    def normal(self, shape, dtype=torch.float32):
        """Standard normal numbers."""
        return torch.randn(shape, generator=self.generator, dtype=torch.float64).to(dtype)

    def integers(self, shape, dtype=torch.int32, low=-100, high=100):
        """Integers in [low, high)."""
        return torch.randint(low, high, shape, generator=self.generator).to(dtype)

    def bools(self, shape):
        """True and False alike often."""
        return torch.randint(0, 2, shape, generator=self.generator).bool()

    def distinct(self, shape, dtype=torch.float32):
        """Numbers of which no two are equal (as far as the type allows), in random order."""
        count = 1
        for extent in shape:
            count *= extent
        order = torch.randperm(count, generator=self.generator)
        return (order - count // 2).to(dtype).reshape(shape)

    def special(self, shape, dtype=torch.float32):
        """Normal numbers with infinities, NaN and zeros among them."""
        drawn = self.normal(shape, dtype).flatten()
        for position, value in enumerate((float("nan"), float("inf"), -float("inf"), 0.0, -0.0)):
            drawn[position::11] = value
        return drawn.reshape(shape)

    def any(self, shape, dtype):
        """Numbers of any dtype: normal for floats, small integers otherwise."""
        if dtype == torch.bool:
            return self.bools(shape)
        if dtype.is_floating_point:
            return self.normal(shape, dtype)
        return self.integers(shape, dtype)

    def permutation(self, count):
        """0 to count - 1 in random order."""
        return torch.randperm(count, generator=self.generator)


def pointwise_inputs(draw, dtypes=FLOATS, shapes=SHAPES, strided=True):
    """Inputs of an elementwise operator, made by `draw(shape, dtype)`: all shapes in the first dtype with a transposed
    and a strided tensor, one shape in the others."""
    for shape in shapes:
        yield draw(shape, dtypes[0])
    if strided:
        yield draw((33, 64), dtypes[0]).t()
        yield draw((16, 50), dtypes[0])[:, ::2]
    for dtype in dtypes[1:]:
        yield draw((17, 130), dtype)
