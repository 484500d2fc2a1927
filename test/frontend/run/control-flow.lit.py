# RUN: tilewright run %s --kernel arithmetic --grid 1 --arg o=i32[8] --arg n=3 --arg m=-4 --print o | FileCheck %s --check-prefix=ARITH
# RUN: tilewright run %s --kernel returns --grid 1 --arg o=i32[8] --arg n=3 --print o | FileCheck %s --check-prefix=RETURN
# RUN: tilewright run %s --kernel loops --grid 1 --arg o=i32[8] --arg n=3 --print o | FileCheck %s --check-prefix=LOOP
# Run-time control flow gives the numbers that Python gives for the same statements, but for C's division.
import triton
import triton.language as tl


# ARITH: o: i32[8] -3 -1 22 18 -12 25 3 7
@triton.jit
def arithmetic(o, n, m):
    a = -7
    tl.store(o + 0, a // 2)
    tl.store(o + 1, a % 2)
    s = 0
    for i in range(10, 0, -3):
        s += i
    tl.store(o + 2, s)
    s = 0
    for i in range(0, 10, n):
        s += i
    tl.store(o + 3, s)
    s = 0
    for i in range(0, -10, m):
        s += i
    tl.store(o + 4, s)
    k = 100
    count = 0
    while k > 1:
        if k % 2 == 0:
            k = k // 2
        else:
            k = 3 * k + 1
        count += 1
    tl.store(o + 5, count)
    tl.store(o + 6, n if m < 0 else m)
    y = 0
    if n == 3:
        if m == -4:
            y = 7
    else:
        y = 9
    tl.store(o + 7, y)


@triton.jit
def climb(a, b):
    if a < 0:
        return -100
    for i in range(a):
        b += i
    if b > 20:
        if b > 52:
            return 1000 + b
        b = b * 2
    return b


# RETURN: o: i32[8] 8 1053 -100 46 5 0 0 0
@triton.jit
def returns(o, n):
    tl.store(o + 0, climb(n, 5))
    tl.store(o + 1, climb(n, 50))
    tl.store(o + 2, climb(-1, 50))
    tl.store(o + 3, climb(n, 20))
    if n > 2:
        if n == 3:
            tl.store(o + 4, 5)
            return
        tl.store(o + 5, 5)
    tl.store(o + 6, 5)


# LOOP: o: i32[8] 13 11 1 6 0 40 6 25
@triton.jit
def loops(o, n):
    pair = (1, 2)
    for i in range(5):
        u, v = pair
        pair = (v, u + v)
    tl.store(o + 0, pair[0])
    acc = 0
    for i in tl.static_range(4):
        for j in range(i):
            acc += i * j
    tl.store(o + 1, acc)
    tl.store(o + 2, 1 if (n > 2 and n < 9) or n == 0 else 0)
    total = 0
    for i in range(n, -10, -n):
        if i > -3:
            total += i
        else:
            total += 0
    for i in range(n, n):
        total += 100
    tl.store(o + 3, total + 3)
    for i in range(n, n, -1):
        tl.store(o + 4, 1)
    grid = 0
    while grid < 40:
        step = 0
        while step < 4:
            step += 1
        grid += 2 * step
    tl.store(o + 5, grid)
    down = 0
    for i in range(n.to(tl.uint32), 0, -1):
        down += i.to(tl.int32)
    tl.store(o + 6, down)
    wide = 0
    for i in range(n.to(tl.int64), 12, 2):
        wide += i.to(tl.int32) - 2
    tl.store(o + 7, wide)
