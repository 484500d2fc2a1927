"""`triton.testing`: tilewright.testing under Triton's name."""
from tilewright.testing import (Benchmark, Mark, assert_close, do_bench, do_bench_cudagraph, get_dram_gbps, get_max_simd_tflops,
                                get_max_tensorcore_tflops, perf_report, set_gpu_clock)

__all__ = ["Benchmark", "Mark", "assert_close", "do_bench", "do_bench_cudagraph", "perf_report", "set_gpu_clock"]
