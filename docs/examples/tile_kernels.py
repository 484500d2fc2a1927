"""Kernels that show the language: elementwise, rows, matrices, attention, scans, atomics, control flow.

They are ordinary Triton-style kernels: with `import triton` and `import triton.language as tl` the same functions
compile there. `cases.py` beside this file launches each and compares it with NumPy.
"""
import tilewright as tw
import tilewright.language as tl


@tw.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """out = x + y over n elements."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@tw.jit
def softmax_kernel(x_ptr, out_ptr, n_cols, stride, BLOCK: tl.constexpr):
    """Softmax of one row that fits a block."""
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=mask, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    y = e / tl.sum(e, axis=0)
    tl.store(out_ptr + row * stride + cols, y.to(out_ptr.dtype.element_ty), mask=mask)


@tw.jit
def softmax_looped_kernel(x_ptr, out_ptr, n_cols, stride, BLOCK: tl.constexpr):
    """Softmax of one row of any length: running maximum and sum, then a second pass."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * stride
    out_ptr += row * stride
    cols = tl.arange(0, BLOCK)
    largest = tl.full([BLOCK], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n_cols, BLOCK):
        x = tl.load(x_ptr + start + cols, mask=start + cols < n_cols, other=-float("inf")).to(tl.float32)
        new = tl.maximum(largest, x)
        # A lane that has seen nothing but -inf keeps a sum of 0.
        shift = tl.where(new == -float("inf"), 0.0, new)
        total = total * tl.exp(largest - shift) + tl.exp(x - shift)
        largest = new
    top = tl.max(largest, axis=0)
    norm = tl.sum(total * tl.exp(largest - top), axis=0)
    for start in range(0, n_cols, BLOCK):
        mask = start + cols < n_cols
        x = tl.load(x_ptr + start + cols, mask=mask).to(tl.float32)
        tl.store(out_ptr + start + cols, (tl.exp(x - top) / norm).to(out_ptr.dtype.element_ty), mask=mask)


@tw.jit
def layernorm_kernel(x_ptr, w_ptr, b_ptr, out_ptr, mean_ptr, rstd_ptr, n_cols, stride, eps, BLOCK: tl.constexpr):
    """Layer normalisation of one row; keeps mean and reciprocal deviation for the backward pass."""
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * stride + cols, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n_cols
    centred = tl.where(mask, x - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / n_cols + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    w = tl.load(w_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + row * stride + cols, (centred * rstd * w + b).to(out_ptr.dtype.element_ty), mask=mask)


@tw.jit
def layernorm_backward_kernel(dy_ptr, x_ptr, w_ptr, mean_ptr, rstd_ptr, dx_ptr, dw_ptr, db_ptr, n_rows, n_cols, stride,
                              BLOCK: tl.constexpr):
    """Gradients of layer normalisation: dx by row, dw and db as one partial row a program."""
    program = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    w = tl.load(w_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    dw = tl.zeros([BLOCK], tl.float32)
    db = tl.zeros([BLOCK], tl.float32)
    for row in range(program, n_rows, tl.num_programs(0)):
        offsets = row.to(tl.int64) * stride + cols
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        normed = tl.where(mask, (x - mean) * rstd, 0.0)
        g = dy * w
        along = tl.sum(normed * g, axis=0) / n_cols
        level = tl.sum(g, axis=0) / n_cols
        tl.store(dx_ptr + offsets, ((g - normed * along - level) * rstd).to(dx_ptr.dtype.element_ty), mask=mask)
        dw += dy * normed
        db += dy
    tl.store(dw_ptr + program * n_cols + cols, dw, mask=mask)
    tl.store(db_ptr + program * n_cols + cols, db, mask=mask)


@tw.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    """Zeroes elements with probability p by a counter-based generator, scales the rest."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0).to(x.dtype), mask=mask)


@tw.jit
def leaky_relu(x):
    """x, or a hundredth of it where it is negative."""
    return tl.where(x >= 0, x, 0.01 * x)


@tw.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr,
                  ACTIVATION: tl.constexpr = ""):
    """C = activation(A @ B) for any strides; programs walk groups of rows so that tiles of B stay cached."""
    pid = tl.program_id(0)
    grid_m = tl.cdiv(M, BM)
    grid_n = tl.cdiv(N, BN)
    width = GROUP_M * grid_n
    group = pid // width
    group_size = min(grid_m - group * GROUP_M, GROUP_M)
    pid_m = group * GROUP_M + (pid % width) % group_size
    pid_n = (pid % width) // group_size
    rows = (pid_m * BM + tl.arange(0, BM)) % M
    cols = (pid_n * BN + tl.arange(0, BN)) % N
    ks = tl.arange(0, BK)
    a = a_ptr + rows[:, None] * stride_am + ks[None, :] * stride_ak
    b = b_ptr + ks[:, None] * stride_bk + cols[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=ks[None, :] < K - k * BK, other=0.0)
        y = tl.load(b, mask=ks[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        a += BK * stride_ak
        b += BK * stride_bk
    if ACTIVATION == "leaky_relu":
        acc = leaky_relu(acc)
    out_rows = pid_m * BM + tl.arange(0, BM)
    out_cols = pid_n * BN + tl.arange(0, BN)
    tl.store(c_ptr + out_rows[:, None] * stride_cm + out_cols[None, :] * stride_cn, acc.to(c_ptr.dtype.element_ty),
             mask=(out_rows[:, None] < M) & (out_cols[None, :] < N))


@tw.jit
def matmul_persistent_kernel(a_ptr, b_ptr, c_ptr, M, N, K, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                             BK: tl.constexpr, GROUP_M: tl.constexpr):
    """C = A @ B^T through descriptors; each program computes every PROGRAMS-th tile."""
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    grid_m = tl.cdiv(M, BM)
    grid_n = tl.cdiv(N, BN)
    width = GROUP_M * grid_n
    for tile in tl.range(tl.program_id(0), grid_m * grid_n, PROGRAMS, flatten=True):
        group = tile // width
        group_size = min(grid_m - group * GROUP_M, GROUP_M)
        m = (group * GROUP_M + (tile % width) % group_size) * BM
        n = ((tile % width) // group_size) * BN
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(tl.cdiv(K, BK)):
            acc = tl.dot(a_desc.load([m, k * BK]), b_desc.load([n, k * BK]).T, acc)
        c_desc.store([m, n], acc.to(c_ptr.dtype.element_ty))


@tw.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, out_ptr, scale, S, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                     CAUSAL: tl.constexpr):
    """Flash attention over contiguous [heads, S, D]: one program a block of BM queries of one head."""
    first = tl.program_id(0) * BM
    head = tl.program_id(1).to(tl.int64) * S * D
    rows = first + tl.arange(0, BM)
    cols = tl.arange(0, BN)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head + rows[:, None] * D + d[None, :], mask=rows[:, None] < S, other=0.0)
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    end = min(first + BM, S) if CAUSAL else S
    for start in range(0, end, BN):
        keys = start + cols
        k = tl.load(k_ptr + head + keys[:, None] * D + d[None, :], mask=keys[:, None] < S, other=0.0)
        v = tl.load(v_ptr + head + keys[:, None] * D + d[None, :], mask=keys[:, None] < S, other=0.0)
        s = tl.dot(q, tl.trans(k)) * (scale * 1.4426950408889634)
        s = tl.where(keys[None, :] < S, s, -float("inf"))
        if CAUSAL:
            s = tl.where(rows[:, None] >= keys[None, :], s, -float("inf"))
        new = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp2(s - new[:, None])
        alpha = tl.exp2(top - new)
        total = total * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None])
        top = new
    tl.store(out_ptr + head + rows[:, None] * D + d[None, :], (acc / total[:, None]).to(out_ptr.dtype.element_ty),
             mask=rows[:, None] < S)


@tw.jit
def grouped_matmul_kernel(a_table, b_table, c_table, sizes, groups, TYPE: tl.constexpr, PROGRAMS: tl.constexpr,
                          BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Several products of different sizes in one launch; tables hold addresses, sizes holds M, N, K of each."""
    tile = tl.program_id(0)
    done = 0
    for g in range(groups):
        M = tl.load(sizes + 3 * g)
        N = tl.load(sizes + 3 * g + 1)
        K = tl.load(sizes + 3 * g + 2)
        grid_n = tl.cdiv(N, BN)
        count = tl.cdiv(M, BM) * grid_n
        while tile >= done and tile < done + count:
            a_ptr = tl.load(a_table + g).to(tl.pointer_type(TYPE))
            b_ptr = tl.load(b_table + g).to(tl.pointer_type(TYPE))
            c_ptr = tl.load(c_table + g).to(tl.pointer_type(TYPE))
            rows = (tile - done) // grid_n * BM + tl.arange(0, BM)
            cols = (tile - done) % grid_n * BN + tl.arange(0, BN)
            acc = tl.zeros((BM, BN), dtype=tl.float32)
            for start in range(0, K, BK):
                ks = start + tl.arange(0, BK)
                x = tl.load(a_ptr + rows[:, None] * K + ks[None, :], mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
                y = tl.load(b_ptr + ks[:, None] * N + cols[None, :], mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
                acc = tl.dot(x, y, acc)
            tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(TYPE),
                     mask=(rows[:, None] < M) & (cols[None, :] < N))
            tile += PROGRAMS
        done += count


@tw.jit
def cumsum_kernel(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    """Running sum of each row."""
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + row * n_cols + cols, tl.cumsum(x, axis=0).to(out_ptr.dtype.element_ty), mask=mask)


@tw.jit
def argmax_kernel(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    """Position of the largest element of each row, the first one on ties."""
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=-float("inf"))
    tl.store(out_ptr + row, tl.argmax(x, axis=0))


@tw.jit
def histogram_kernel(x_ptr, bins_ptr, n, BLOCK: tl.constexpr):
    """Counts values with atomic additions; bins outlive the program."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x_ptr + offsets, mask=mask, other=0)
    tl.atomic_add(bins_ptr + value, 1, mask=mask, sem="relaxed")


@tw.jit
def scale_rows_kernel(x_ptr, lengths_ptr, n_cols, factor, BLOCK: tl.constexpr):
    """Scales the first lengths[row] elements of each row in place; empty rows return at once."""
    row = tl.program_id(0)
    length = tl.load(lengths_ptr + row)
    if length == 0:
        return
    cols = tl.arange(0, BLOCK)
    mask = cols < min(length, n_cols)
    pointers = x_ptr + row * n_cols + cols
    x = tl.load(pointers, mask=mask)
    tl.store(pointers, (x * factor).to(x.dtype), mask=mask)


@tw.jit
def lower_bound_kernel(sorted_ptr, values_ptr, out_ptr, n):
    """First position whose element is not below the value, by bisection: one value a program."""
    value = tl.load(values_ptr + tl.program_id(0))
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if tl.load(sorted_ptr + middle) < value:
            low = middle + 1
        else:
            high = middle
    tl.store(out_ptr + tl.program_id(0), low)
