# Unknown names, wrong arguments, statements that kernels do not have.
import torch
import triton
import triton.language as tl
from nowhere import helper


@triton.jit
def recursive(x):
    return recursive(x)  # TW2168


@triton.jit
def needs(a, b: tl.constexpr):
    tl.arange(0, b)  # TW2200
    return a


# emit: names; x:*fp32, n:i32
@triton.jit
def names(x, n):
    tl.zers((4,), tl.float32)  # TW2177
    undefined  # TW2171
    helper(n)  # TW2173
    torch.float32  # TW2176
    tl.load(x, msk=True)  # TW2164
    tl.load(x, None, mask=None)  # TW2165
    tl.load()  # TW2166
    tl.program_id(0, 1)  # TW2163
    recursive(n)
    needs(n, n)
    needs(n)  # TW2166
    needs(n, 4, 2)  # TW2163
    n.foo  # TW2150
    n(3)  # TW2161
    None.shape  # TW2150
    tl.sort(tl.arange(0, 8)[:, None], dim=0)  # TW2301
    tl.topk(tl.arange(0, 8), 3)  # TW2301


# emit: statements; x:*fp32, n:i32
@triton.jit
def statements(x, n):
    x[0] = 1  # TW1902
    with n:  # TW1901
        pass
    for i in range(n):
        break  # TW1901
    while True:  # TW2123
        n += 1
    for i in range(n):
        return  # TW2101
    a, b = 1, 2, 3  # TW2107
    tl.static_assert(n > 3)  # TW2300
    tl.static_assert(1 == 2, f"no {3}")  # TW2301
    assert 1 == 2, "three"  # TW2103
    for i in n:  # TW2134
        pass
    for i in tl.static_range(n):  # TW2133
        pass
    if 1.5:  # TW2110
        pass
    1 / 0  # TW2142
    (1, 2)[5]  # TW2154
    (1, 2)[n]  # TW2155
    return n  # TW2102


# emit: flow; x:*fp32, n:i32, B=4
@triton.jit
def flow(x, n, B: tl.constexpr):
    if n > 3:
        u = 1
    else:
        u = 1.0  # TW2112
    if n > 3:
        v = 1
    tl.store(x, v)  # TW2170
    acc = 0
    for i in range(n):
        acc += 1.5  # TW2120
        w = i
    tl.store(x, w)  # TW2170
    c: tl.constexpr = 3
    c: tl.constexpr = 4  # TW2106
    d: tl.constexpr = n
    tl.arange(0, d)  # TW2200
    if undefined_condition:  # TW2171
        later = 1
    else:
        later = 2
    for i in undefined_range:  # TW2171
        after = i
    tl.store(x, later + after)
    tl.arange(0, 4)[:, :]  # TW2153
    raise ValueError("reached")  # TW2104
