"""`triton.testing.perf_report`: a function measured over a range of arguments, as a table."""


class Benchmark:
    """What to vary (`x_names` over `x_vals`, `line_arg` over `line_vals`) and how to name it."""

    def __init__(self, x_names, x_vals, line_arg, line_vals, line_names, plot_name, args, xlabel="", ylabel="",
                 x_log=False, y_log=False, styles=None):
        self.x_names, self.x_vals, self.x_log = x_names, x_vals, x_log
        self.line_arg, self.line_vals, self.line_names = line_arg, line_vals, line_names
        self.plot_name, self.args = plot_name, args
        self.xlabel, self.ylabel, self.y_log, self.styles = xlabel, ylabel, y_log, styles


class Mark:
    """A function with its benchmarks; `run` prints one table for each."""

    def __init__(self, fn, benchmarks):
        self.fn = fn
        self.benchmarks = benchmarks

    def _rows(self, benchmark, kwargs):
        for x in benchmark.x_vals:
            values = list(x) if isinstance(x, (tuple, list)) else [x] * len(benchmark.x_names)
            named = dict(zip(benchmark.x_names, values))
            row = []
            for line in benchmark.line_vals:
                result = self.fn(**named, **{benchmark.line_arg: line}, **benchmark.args, **kwargs)
                row.append(result[0] if isinstance(result, (tuple, list)) else result)
            yield values, row

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        """Measures everything and prints it; drawing and data frames are not offered."""
        if show_plots or save_path or return_df:
            raise NotImplementedError("Tilewright's perf_report prints tables: it draws no plots and writes no files")
        benchmarks = self.benchmarks if isinstance(self.benchmarks, (tuple, list)) else [self.benchmarks]
        for benchmark in benchmarks:
            rows = list(self._rows(benchmark, kwargs))
            if print_data:
                print(f"{benchmark.plot_name}:")
                print("  ".join([*benchmark.x_names, *benchmark.line_names]))
                for values, row in rows:
                    print("  ".join([*map(str, values), *(f"{number:.6g}" for number in row)]))


def perf_report(benchmarks):
    """Decorator: gives the function a `run` that measures it."""
    return lambda fn: Mark(fn, benchmarks)
