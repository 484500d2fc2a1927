"""`autotune`: what is measured, kept, pruned, restored, exported and said."""
import json
import subprocess
import sys

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl


@pytest.fixture(autouse=True)
def untouched():
    """No results of other tests."""
    from tilewright.tuning import results
    yield
    results.measured.entries.clear()
    results.chosen.entries.clear()
    tw.tuning.configure(measure=True)
    tw.cache.configure(folder=None)


@tw.jit
def tell_block(out, n, BLOCK: tl.constexpr):
    """Writes BLOCK, so that tests see which configuration ran."""
    tl.store(out + tl.arange(0, 4), tl.full([4], BLOCK, tl.int32))


class Stopwatch:
    """A `do_bench` whose times are a table: milliseconds by the block size that the launch wrote."""

    def __init__(self, out, times):
        self.out, self.times, self.asked = out, times, []

    def __call__(self, launch, quantiles):
        assert quantiles == (0.5, 0.2, 0.8)
        launch()
        self.asked.append(int(self.out[0]))
        return [self.times[self.asked[-1]]] * 3


def tuned(out, times, blocks=None, **options):
    watch = Stopwatch(out, times)
    blocks = times if blocks is None else blocks
    kernel = tw.autotune([tw.Config({"BLOCK": block}) for block in blocks], key=["n"], do_bench=watch, **options)(tell_block)
    return kernel, watch


@pytest.fixture
def out():
    return np.zeros(4, np.int32)


def test_fastest_is_taken_once_for_each_key(out):
    kernel, watch = tuned(out, {16: 3.0, 32: 1.0, 64: 2.0})
    for n in (8, 8, 9):
        kernel[(1,)](out, n)
        assert (out == 32).all() and kernel.best_config.kwargs == {"BLOCK": 32}
    assert watch.asked == [16, 32, 64] * 2 and len(kernel.cache) == 2
    assert {config.kwargs["BLOCK"]: times[0] for config, times in kernel.configs_timings.items()} == watch.times


def test_types_of_arrays_are_part_of_the_key(out):
    kernel, watch = tuned(out, {16: 1.0, 32: 2.0})
    kernel[(1,)](out, 8)
    watch.out = np.zeros(4, np.int64)
    kernel[(1,)](watch.out, 8)
    assert watch.asked == [16, 32] * 2


def test_real_measuring_needs_no_table(out):
    kernel = tw.autotune([tw.Config({"BLOCK": 16}), tw.Config({"BLOCK": 32})], key=["n"], warmup=1, rep=1)(tell_block)
    kernel[(1,)](out, 8)
    assert out[0] == kernel.best_config.kwargs["BLOCK"]
    assert all(0 < times[0] for times in kernel.configs_timings.values())


def test_results_of_configurations_are_kept_apart(out, tmp_path):
    """A later process measures only the configuration that is new."""
    tw.cache.configure(folder=tmp_path / "cache")
    first, watch = tuned(out, {16: 3.0, 32: 1.0}, cache_results=True)
    first[(1,)](out, 8)
    again, watch_again = tuned(out, {16: 3.0, 32: 1.0}, cache_results=True)
    again[(1,)](out, 8)
    assert watch.asked == [16, 32] and watch_again.asked == [] and (out == 32).all()
    more, watch_more = tuned(out, {16: 3.0, 32: 1.0, 64: 0.5}, cache_results=True)
    more[(1,)](out, 8)
    assert watch_more.asked == [64] and (out == 64).all()
    # Without the option nothing is read.
    other, watch_other = tuned(out, {16: 3.0, 32: 1.0})
    other[(1,)](out, 8)
    assert watch_other.asked == [16, 32]


@tw.jit
def accumulate(total, x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.atomic_add(total + i, tl.load(x + i, mask=i < n, other=0.0), mask=i < n)


@pytest.mark.parametrize("option", ["reset_to_zero", "restore_value"])
def test_arrays_that_launches_change(option):
    """Measuring launches many times; afterwards the arrays are as one launch leaves them."""
    kernel = tw.autotune([tw.Config({"BLOCK": 8}), tw.Config({"BLOCK": 16})], key=["n"], warmup=1, rep=1,
                         **{option: ["total"]})(accumulate)
    total, x = np.arange(8, dtype=np.float32), np.ones(8, np.float32)
    for launches in (1, 2):
        kernel[(1,)](total, x, 8)
        np.testing.assert_array_equal(total, np.arange(8) + launches)


def test_hooks(out):
    calls = []
    configs = [tw.Config({"BLOCK": block}, pre_hook=lambda named: calls.append(("config", named["BLOCK"])))
               for block in (16, 32)]
    kernel = tw.autotune(configs, key=["n"], do_bench=Stopwatch(out, {16: 2.0, 32: 1.0}),
                         pre_hook=lambda named, reset_only: calls.append(("before", named["BLOCK"], reset_only)),
                         post_hook=lambda named, exception: calls.append(("after", named["BLOCK"], exception)))(tell_block)
    kernel[(1,)](out, 8)
    assert calls == [("config", 16), ("before", 16, False), ("after", 16, None),
                     ("config", 32), ("before", 32, False), ("after", 32, None), ("config", 32)]


@tw.jit
def copy_blocks(source, target, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        target.store([start], tl.reshape(source.load([start]), [BLOCK]) + 1)


@pytest.mark.parametrize("measure", [True, False])
def test_hooks_set_block_shapes_of_descriptors(measure):
    """The idiom of kernels whose descriptors come from the host: each configuration's hook says its block shape."""

    def set_blocks(arguments):
        for name in ("source", "target"):
            arguments[name].block_shape = [arguments["BLOCK"]]

    source, target = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    first, second = (tw.TensorDescriptor.from_tensor(array, [1]) for array in (source, target))
    tw.tuning.configure(measure=measure)
    kernel = tw.autotune([tw.Config({"BLOCK": block}, pre_hook=set_blocks) for block in (16, 32)], ["n"], warmup=1, rep=1)(copy_blocks)
    assert len(kernel.warmup(first, second, 64, grid=(1,))) == 2 and first.block_shape == [1]
    kernel[(1,)](first, second, 64)
    assert first.block_shape == [kernel.best_config.kwargs["BLOCK"]]
    np.testing.assert_array_equal(target, source + 1)


def test_early_prune(out):
    seen = []

    def prune(configs, named, **kwargs):
        seen.append((named["n"], kwargs))
        return [config for config in configs if config.kwargs["BLOCK"] > 16]

    kernel, watch = tuned(out, {16: 1.0, 32: 3.0, 64: 2.0}, prune_configs_by={"early_config_prune": prune})
    kernel[(1,)](out, 8)
    assert watch.asked == [32, 64] and (out == 64).all() and seen == [(8, {})]
    nothing, _ = tuned(out, {16: 1.0, 32: 1.0}, prune_configs_by={"early_config_prune": lambda *a, **k: []})
    with pytest.raises(tw.TuningError, match="TW6057"):
        nothing[(1,)](out, 8)


@pytest.mark.parametrize("top_k", [2, 0.5])
def test_model_of_performance(out, top_k):
    kernel, watch = tuned(out, {16: 1.0, 32: 3.0, 64: 2.0, 128: 4.0}, prune_configs_by={
        "perf_model": lambda out, n, BLOCK, **options: -BLOCK, "top_k": top_k})
    kernel[(1,)](out, 8)
    assert sorted(watch.asked) == [64, 128] and (out == 64).all()


@tw.jit
def needs_power_of_two(out, n, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK) % 4, BLOCK)


def test_configurations_that_do_not_work_are_left_out(out):
    kernel = tw.autotune([tw.Config({"BLOCK": 24}), tw.Config({"BLOCK": 4})], key=["n"], warmup=1, rep=1)(needs_power_of_two)
    kernel[(1,)](out, 8)
    assert kernel.best_config.kwargs == {"BLOCK": 4} and (out == 4).all()


def test_error_says_of_each_why(out):
    kernel = tw.autotune([tw.Config({"BLOCK": 24}), tw.Config({"BLOCK": 40})], key=["n"])(needs_power_of_two)
    with pytest.raises(tw.TuningError, match="TW6061: none of the 2 configurations of 'needs_power_of_two'") as caught:
        kernel[(1,)](out, 8)
    lines = str(caught.value).splitlines()[1:]
    assert [line.split(",")[0].strip() for line in lines] == ["BLOCK: 24", "BLOCK: 40"]
    assert all("TW2" in line for line in lines)


@tw.jit
def count_into(x, out, BINS: tl.constexpr):
    tl.store(out + tl.arange(0, BINS), tl.histogram(tl.load(x + tl.arange(0, 64)), BINS))


def test_what_does_not_fit_is_refused_without_generating_code(build):
    """Tuning says of each configuration what `tw.fits` does, which ends before code generation: resource, limit and need."""
    if not (build / "lib" / "tilewright" / "libtilewright_simulate.so").exists():
        pytest.skip("target 'simulate' is not built here")
    x, out = np.zeros(64, np.int32), np.zeros(1 << 16, np.int32)
    configs = [tw.Config({"BINS": 1 << 15}), tw.Config({"BINS": 1 << 16}), tw.Config({"BINS": 64}, num_warps=64)]
    with pytest.raises(tw.TuningError, match="TW6061") as caught:
        tw.autotune(configs, key=[])(count_into)[(1,)](x, out, target="simulate")
    lines = str(caught.value).splitlines()[1:]
    wanted = ["expected at most 65536 bytes of shared memory, got 131072", "expected at most 65536 bytes of shared memory, got 262144",
              "expected at most 1024 threads of a program, got 2048"]
    assert len(lines) == len(wanted) and all(text in line for text, line in zip(wanted, lines))
    for config, line in zip(configs, lines):
        answer = tw.fits(count_into, f"x:*i32, out:*i32, BINS={config.kwargs['BINS']}", "simulate", num_warps=config.num_warps)
        assert not answer["fits"] and answer["reasons"][0]["message"] in line
    kernel = tw.autotune([*configs, tw.Config({"BINS": 256})], key=[], warmup=1, rep=1)(count_into)
    kernel[(1,)](x, out, target="simulate")
    assert kernel.best_config.kwargs == {"BINS": 256} and out[0] == 64


def test_fits_counts_registers_of_sums():
    """A product's sums that a loop carries are a value a register, whatever their number."""
    signature = "x:*fp16, y:*fp16, out:*fp32, n:i32, B={}"
    few, many = (tw.fits(multiply, signature.format(block), "nvidia:sm_90", num_warps=4)["kernels"][0] for block in (64, 512))
    assert 32 <= few["registers_estimate"] < few["registers_limit"] < 512 * 512 // 128 <= many["registers_estimate"]


@tw.jit
def multiply(x, y, out, n, B: tl.constexpr):
    m, k = tl.arange(0, B), tl.arange(0, 32)
    total = tl.zeros((B, B), tl.float32)
    for start in range(0, n, 32):
        total = tl.dot(tl.load(x + m[:, None] * n + start + k[None, :]), tl.load(y + (start + k[:, None]) * B + m[None, :]), total)
    tl.store(out + m[:, None] * B + m[None, :], total)


def test_value_given_twice(out):
    kernel, _ = tuned(out, {16: 1.0, 32: 1.0})
    with pytest.raises(tw.LaunchError, match="TW6060: 'BLOCK'"):
        kernel[(1,)](out, 8, BLOCK=16)


def test_first_without_measuring(out):
    tw.tuning.configure(measure=False)
    kernel, watch = tuned(out, {64: 2.0, 16: 1.0})
    kernel[(1,)](out, 8)
    assert watch.asked == [] and (out == 64).all()


def test_progress(out):
    states = []
    stop = tw.tuning.on_progress(states.append)
    kernel, _ = tuned(out, {16: 2.0, 32: 1.0, 64: 3.0})
    kernel[(1,)](out, 8)
    stop()
    kernel[(1,)](out, 9)
    assert [(state.done, state.total, state.milliseconds, state.best_milliseconds) for state in states] == [
        (1, 3, 2.0, 2.0), (2, 3, 1.0, 1.0), (3, 3, 3.0, 1.0)]
    assert states[-1].best.startswith("BLOCK: 32") and states[-1].seconds_left == 0 and states[0].seconds_left > 0


def test_exported_results_replace_measuring(out, tmp_path):
    kernel, _ = tuned(out, {16: 3.0, 32: 1.0, 64: 2.0})
    kernel[(1,)](out, 8)
    tw.tuning.export(tmp_path / "results.json", kernel)
    document = json.loads((tmp_path / "results.json").read_text())
    (entry,) = document["entries"]
    assert entry["kernel"] == "tell_block" and entry["key"] == {"n": 8, "out.dtype": "int32"} and entry["pinned"] is None
    assert sorted(row["milliseconds"] for row in entry["configs"].values()) == [1.0, 2.0, 3.0]
    # Used as it is: nothing is measured. Pinned by hand: that one is taken, although it is slower.
    tw.tuning.use(tmp_path / "results.json")
    again, watch = tuned(out, {16: 3.0, 32: 1.0, 64: 2.0})
    again[(1,)](out, 8)
    assert watch.asked == [] and (out == 32).all()
    entry["pinned"] = next(text for text in entry["configs"] if text.startswith("BLOCK: 64"))
    (tmp_path / "pinned.json").write_text(json.dumps(document))
    tw.tuning.use(tmp_path / "pinned.json")
    pinned, watch = tuned(out, {16: 3.0, 32: 1.0, 64: 2.0})
    pinned[(1,)](out, 8)
    assert watch.asked == [] and (out == 64).all()
    shown = subprocess.run([sys.executable, "-m", "tilewright.tuning", "show", tmp_path / "pinned.json"], text=True,
                           capture_output=True, check=True).stdout
    assert "tell_block(n=8, out.dtype=int32)" in shown and "BLOCK: 64" in shown and "(pinned), of 3" in shown


def test_merged_results(out, tmp_path):
    for name, times in (("a", {16: 3.0, 32: 1.0}), ("b", {32: 5.0, 64: 2.0})):
        tw.tuning.results.measured.entries.clear()
        kernel, _ = tuned(out, times)
        kernel[(1,)](out, 8)
        tw.tuning.export(tmp_path / f"{name}.json")
    subprocess.run([sys.executable, "-m", "tilewright.tuning", "merge", tmp_path / "all.json", tmp_path / "a.json",
                    tmp_path / "b.json"], check=True)
    (entry,) = json.loads((tmp_path / "all.json").read_text())["entries"]
    assert {text.split(",")[0]: row["milliseconds"] for text, row in entry["configs"].items()} == {
        "BLOCK: 16": 3.0, "BLOCK: 32": 5.0, "BLOCK: 64": 2.0}


def test_results_of_another_source_are_left_aside(out, tmp_path):
    kernel, _ = tuned(out, {16: 3.0, 32: 1.0})
    kernel[(1,)](out, 8)
    tw.tuning.export(tmp_path / "results.json")
    document = json.loads((tmp_path / "results.json").read_text())
    document["entries"][0]["source"] = "0" * 32
    (tmp_path / "other.json").write_text(json.dumps(document))
    tw.tuning.use(tmp_path / "other.json")
    again, watch = tuned(out, {16: 3.0, 32: 1.0})
    again[(1,)](out, 8)
    assert watch.asked == [16, 32]


@pytest.mark.parametrize("change", [
    lambda document: document.update(version=2),
    lambda document: document.update(kind="other"),
    lambda document: document.update(more=1),
    lambda document: document["entries"][0].update(more=1),
    lambda document: document["entries"][0].update(pinned="BLOCK: 5"),
    lambda document: document["entries"][0]["configs"].update({"BLOCK: 5": {"seconds": 1}}),
], ids=["version", "kind", "field", "entry-field", "pinned", "unit"])
def test_files_that_are_no_results_are_refused(out, tmp_path, change):
    kernel, _ = tuned(out, {16: 3.0, 32: 1.0})
    kernel[(1,)](out, 8)
    path = tmp_path / "results.json"
    tw.tuning.export(path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(tw.CacheError, match="TW7206"):
        tw.tuning.use(path)
    path.write_text("{")
    with pytest.raises(tw.CacheError, match="TW7206"):
        tw.tuning.use(path)


def test_report_writes_a_table(tmp_path, capsys):
    @tw.testing.perf_report(tw.testing.Benchmark(["n"], [1, 2], "provider", ["a", "b"], ["A", "B"], "plot", {}))
    def measure(n, provider):
        return {"a": n, "b": (n * 10, n * 9, n * 11)}[provider]

    measure.run(print_data=True, save_path=str(tmp_path / "out"))
    assert capsys.readouterr().out.splitlines() == ["plot:", "n  A  B", "1  1  10", "2  2  20"]
    assert (tmp_path / "out" / "plot.csv").read_text().splitlines() == ["n,A,B", "1,1,10", "2,2,20"]


def test_seen_launches_follow_key_and_cache(out):
    """The short way of a launch that was seen before takes what the long way would."""
    kernel, watch = tuned(out, {16: 1.0, 32: 2.0})
    for n in (8, 8, 9, 8):
        kernel[(1,)](out, n)
    assert watch.asked == [16, 32] * 2
    wide = watch.out = np.zeros(4, np.int64)
    kernel[(1,)](wide, 8)
    kernel[(1,)](wide, n=8)
    assert watch.asked == [16, 32] * 3
    watch.times, watch.out = {16: 2.0, 32: 1.0}, out
    kernel[(1,)](out, 8)
    assert (out == 16).all()
    kernel.cache.clear()
    kernel[(1,)](out, 8)
    assert (out == 32).all()


def test_fits_without_compiling():
    """`tw.fits` says why a choice does not fit, and the least change that does."""
    signature = "out:*i32, n:i32, BLOCK=64"
    assert tw.fits(tell_block, signature, "nvidia:sm_90")["fits"]
    answer = tw.fits(tell_block, signature, "nvidia:sm_90", num_warps=64)
    assert not answer["fits"] and answer["reasons"][0]["code"] == "TW4152"
    smaller = answer["alternatives"][0]["options"]
    assert tw.fits(tell_block, signature, "nvidia:sm_90", **smaller)["fits"]
