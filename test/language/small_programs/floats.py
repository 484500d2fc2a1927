"""Programs over floats: short types, roundings, zeros, infinities and NaN."""
import numpy as np

from dtypes import NUMPY, rounded
from small_programs.table import E, F, I, x8, xa, xb, table

ROWS, row = table()

row('fp8 arithmetic',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a.to(tl.float32)*2))',
    {'out': np.array([2, 4, 6, 1], np.float32)}, {'x': np.array([1, 2, 3, 0.5], NUMPY['float8e4nv'])})
row('fp8 mul',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'r = a*a\n'
    'tl.store(out+i, r)',
    {'out': np.array([1, 4, 9, 0.25], NUMPY['float8e4nv'])}, {'x': np.array([1, 2, 3, 0.5], NUMPY['float8e4nv'])})
row('fp8 abs neg',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.abs(a))',
    {'out': np.array([1, 2, 3, 0.5], E)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('fp8 cmp',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a>0).to(tl.int32))',
    {'out': np.array([0, 1, 0, 1], I)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('fp8 max',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out, tl.max(a.to(tl.float32), 0))',
    {'out': np.array([2], np.float32)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('fp8 where',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.where(i<2, a, 0.0))',
    {'out': np.array([-1, 2, 0, 0], E)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('nan where',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.where(a == a, a, 0.0))',
    {'out': np.array([1, 0, 2, 0], F)}, {'x': np.array([1, np.nan, 2, np.nan], F)})
row('inf-inf',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a - a)',
    {'out': np.array([0, np.nan, 0, np.nan], F)}, {'x': np.array([1, np.nan, 2, np.inf], F)})
row('x*0',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a * 0.0)',
    {'out': np.array([0, np.nan, 0, np.nan], F)}, {'x': np.array([1, np.nan, 2, np.inf], F)})
row('max NaN all',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out, tl.max(a, 0))',
    {'out': np.array([np.nan], F)}, {'x': np.array([np.nan] * 4, F)})
row('fma contraction dot?',
    'a = tl.load(x)\n'
    'tl.store(out, tl.fma(a, a, -1.0))',
    {'out': np.array([np.float32((1 + 2.0 ** (-12)) ** 2 - 1)], F)}, {'x': np.array([1 + 2.0 ** (-12)], F)})
row('bf16 chain',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, a*b+a)',
    {'out': xa * xb + xa}, {'x': xa, 'y': xb}, enable_fp_fusion=False)
row('float arg f64 tile',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i)*s)',
    {'out': np.arange(4) * np.float64(np.float32(0.1))}, {'x': np.arange(4, dtype=np.float64), 's': 0.1})
row('literal with f64 tile',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i)*0.1)',
    {'out': np.arange(4) * 0.1}, {'x': np.arange(4, dtype=np.float64)})
row('literal f64 full',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.full((4,), 0.1, tl.float64))',
    {'out': np.full(4, 0.1)})
row('1-(-0)',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(a*1.0))',
    {'out': np.array([np.inf, -np.inf, 1, -1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('neg -0',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(-a))',
    {'out': np.array([-np.inf, np.inf, -1, 1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('0-x',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(0.0-a))',
    {'out': np.array([np.inf, np.inf, -1, 1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('x+0',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(a+0.0))',
    {'out': np.array([np.inf, np.inf, 1, -1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('fp8 lit',
    'i = tl.arange(0, 8)\n'
    'r = tl.load(x+i)*2.0\n'
    'tl.static_assert(r.dtype==tl.float8e5)\n'
    'tl.store(out+i, r)',
    {'out': (x8.astype(F) * 2).astype(E)}, {'x': x8})
row('fp8+fp16',
    'i = tl.arange(0, 8)\n'
    'r = tl.load(x+i)+tl.load(y+i)\n'
    'tl.static_assert(r.dtype==tl.float16)\n'
    'tl.store(out+i, r)',
    {'out': x8.astype(np.float16) * 2}, {'x': x8, 'y': x8.astype(np.float16)})
row('cas fp16',
    'tl.store(o2, tl.atomic_cas(out, tl.load(x), tl.load(x+1)))',
    {'out': np.array([2], np.float16), 'o2': np.array([1], np.float16)}, {'x': np.array([1, 2], np.float16)}, initial={'out': np.array([1], np.float16)})
row('fp8 compare nan',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a==a).to(tl.int32))',
    {'out': np.array([1, 0, 1, 1], I)}, {'x': np.array([1, np.nan, np.inf, 0], E)})
row('if float nan',
    'if tl.load(x):\n'
    '    tl.store(out, 1)\n'
    'else:\n'
    '    tl.store(out, 0)',
    {'out': np.array([1], I)}, {'x': np.array([np.nan], F)})
row('fp8 maximum',
    'i = tl.arange(0, 8)\n'
    'r = tl.maximum(tl.load(x+i), tl.load(x+7-i))\n'
    'tl.store(out+i, r.to(tl.float32))',
    {'out': np.maximum(x8.astype(F), x8.astype(F)[::-1])}, {'x': x8})
row('fp16 max inf',
    'i = tl.arange(0, 4)\n'
    'tl.store(out, tl.max(tl.load(x+i), 0))',
    {'out': np.array([np.inf], F)}, {'x': np.array([1, np.inf, -np.inf, 3], np.float16)})
row('min of -inf',
    'i = tl.arange(0, 4)\n'
    "v=tl.load(x+i, mask=i<n, other=float('inf'))\n"
    'tl.store(out, tl.min(v, 0))',
    {'out': np.array([1], F)}, {'x': np.array([5, 1, -9, -9], F), 'n': 2})
row('const / tile',
    'i = tl.arange(0, 4)+1\n'
    'tl.store(out+tl.arange(0, 4), 1/i)',
    {'out': 1 / np.arange(1, 5, dtype=F)})
row('fp16 / int',
    'i = tl.load(x+tl.arange(0, 4))\n'
    'r = i/n\n'
    'tl.static_assert(r.dtype==tl.float32)\n'
    'tl.store(out+tl.arange(0, 4), r)',
    {'out': np.arange(4, dtype=F) / 4}, {'x': np.arange(4, dtype=np.float16), 'n': 4})
row('augmented fp16 by f32 scalar',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'a*=s\n'
    'tl.static_assert(a.dtype==tl.float32)\n'
    'tl.store(out+i, a)',
    {'out': np.arange(4, dtype=F) * F(1.1)}, {'x': np.arange(4, dtype=np.float16), 's': 1.1})
row('i32->fp16 round',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float16))',
    {'out': rounded(np.array([2049, 2051, 65519, 65520]), 'float16')}, {'x': np.array([2049, 2051, 65519, 65520], I)})
row('i64->f32 round',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float32))',
    {'out': rounded(np.array([2 ** 24 + 1, 2 ** 53 + 2 ** 29 + 1, 2 ** 62 + 2 ** 38 + 1, -2 ** 63]), 'float32')}, {'x': np.array([2 ** 24 + 1, 2 ** 53 + 2 ** 29 + 1, 2 ** 62 + 2 ** 38 + 1, -2 ** 63])})
row('i64->bf16 round',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.bfloat16))',
    {'out': rounded(np.array([2 ** 24 + 2 ** 16 + 1, 2 ** 53 + 2 ** 45 + 1, 2 ** 62 + 2 ** 54 + 1, -2 ** 63]), 'bfloat16')}, {'x': np.array([2 ** 24 + 2 ** 16 + 1, 2 ** 53 + 2 ** 45 + 1, 2 ** 62 + 2 ** 54 + 1, -2 ** 63])})
row('i64->fp16 via f32?',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float16))',
    {'out': rounded(np.array([2 ** 15 + 2 ** 4 + 1, 2049]), 'float16')}, {'x': np.array([2 ** 15 + 2 ** 4 + 1, 2049])})
row('f64->bf16 double rounding',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.bfloat16))',
    {'out': rounded(np.array([1 + 2.0 ** (-8) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-8) - 2.0 ** (-40)]), 'bfloat16')}, {'x': np.array([1 + 2.0 ** (-8) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-8) - 2.0 ** (-40)])})
row('f64->fp16 double rounding',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float16))',
    {'out': rounded(np.array([1 + 2.0 ** (-11) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-11) - 2.0 ** (-40)]), 'float16')}, {'x': np.array([1 + 2.0 ** (-11) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-11) - 2.0 ** (-40)])})
row('f64->e4m3 double rounding',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float8e4nv))',
    {'out': rounded(np.array([1 + 2.0 ** (-4) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-4) - 2.0 ** (-40)]), 'float8e4nv')}, {'x': np.array([1 + 2.0 ** (-4) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-4) - 2.0 ** (-40)])})
row('fp16 denorm',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a*0.5)',
    {'out': np.array([6e-08, 1.2e-07, 6e-05, 6.1e-05], np.float16) * np.float16(0.5)}, {'x': np.array([6e-08, 1.2e-07, 6e-05, 6.1e-05], np.float16)})
row('bf16 add rounding',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, a+b)',
    {'out': xa + xb}, {'x': xa, 'y': xb})
row('bf16 sum chain',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, (a+b)+b)',
    {'out': xa + xb + xb}, {'x': xa, 'y': xb})
row('fp16 add chain',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, (a+b)+b)',
    {'out': xa.astype(np.float16) + xb.astype(np.float16) + xb.astype(np.float16)}, {'x': xa.astype(np.float16), 'y': xb.astype(np.float16)})
row('fp16 mul add nofuse',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, (a*b)+b)',
    {'out': xa.astype(np.float16) * xb.astype(np.float16) + xb.astype(np.float16)}, {'x': xa.astype(np.float16), 'y': xb.astype(np.float16)}, enable_fp_fusion=False)
row('fp8 add round',
    'i = tl.arange(0, 8)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, a+b)',
    {'out': rounded(x8.astype(F) + x8[::-1].astype(F), 'float8e5')}, {'x': x8, 'y': x8[::-1].copy()})
row('where fp8 const',
    'i = tl.arange(0, 8)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.where(i<4, a, 1.0))',
    {'out': np.where(np.arange(8) < 4, x8.astype(F), 1).astype(E)}, {'x': x8})
