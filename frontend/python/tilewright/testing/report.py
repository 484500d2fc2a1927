"""`perf_report`: a function measured over a range of arguments, as a table, a CSV file and a plot."""
from __future__ import annotations

import csv
import pathlib
from collections.abc import Callable, Sequence
from typing import Any


class Benchmark:
    """What to vary (`x_names` over `x_vals`, `line_arg` over `line_vals`) and how to name it."""

    def __init__(self, x_names: Sequence[str], x_vals: Sequence, line_arg: str, line_vals: Sequence, line_names: Sequence[str],
                 plot_name: str, args: dict[str, Any], xlabel: str = "", ylabel: str = "", x_log: bool = False, y_log: bool = False,
                 styles: Sequence[tuple] | None = None):
        self.x_names, self.x_vals, self.x_log = x_names, x_vals, x_log
        self.line_arg, self.line_vals, self.line_names = line_arg, line_vals, line_names
        self.plot_name, self.args = plot_name, args
        self.xlabel, self.ylabel, self.y_log, self.styles = xlabel, ylabel, y_log, styles


def _pyplot():
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError("expected matplotlib for plots, got none: pip install matplotlib, or leave show_plots out") from None
    return matplotlib.pyplot


class Mark:
    """A function with its benchmarks; `run` measures them. The function gives a number, or (number, low, high)."""

    def __init__(self, fn: Callable, benchmarks: Benchmark | Sequence[Benchmark]):
        self.fn = fn
        self.benchmarks = benchmarks

    def _rows(self, benchmark, kwargs):
        for x in benchmark.x_vals:
            values = list(x) if isinstance(x, (tuple, list)) else [x] * len(benchmark.x_names)
            named = dict(zip(benchmark.x_names, values))
            row = []
            for line in benchmark.line_vals:
                result = self.fn(**named, **{benchmark.line_arg: line}, **benchmark.args, **kwargs)
                row.append(tuple(result) if isinstance(result, (tuple, list)) else (result,) * 3)
            yield values, row

    def _plot(self, benchmark, rows, show, path):
        pyplot = _pyplot()
        figure, axes = pyplot.subplots()
        x = [values[0] for values, _ in rows]
        for number, name in enumerate(benchmark.line_names):
            color, style = benchmark.styles[number] if benchmark.styles else (None, None)
            middle, low, high = zip(*(row[number] for _, row in rows))
            drawn, = axes.plot(x, middle, label=name, color=color, linestyle=style)
            if low != high:
                axes.fill_between(x, low, high, alpha=0.15, color=drawn.get_color())
        axes.set_xlabel(benchmark.xlabel or benchmark.x_names[0])
        axes.set_ylabel(benchmark.ylabel)
        axes.set_xscale("log" if benchmark.x_log else "linear")
        axes.set_yscale("log" if benchmark.y_log else "linear")
        axes.legend()
        if path:
            figure.savefig(path)
        if show:
            pyplot.show()
        pyplot.close(figure)

    def _write(self, benchmark, rows, folder):
        """One CSV file a benchmark; a plot beside it where matplotlib is installed."""
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{benchmark.plot_name}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([*benchmark.x_names, *benchmark.line_names])
            writer.writerows([*values, *(entry[0] for entry in row)] for values, row in rows)

    def run(self, show_plots: bool = False, print_data: bool = False, save_path: str = "", return_df: bool = False, **kwargs: Any) -> Any:
        """Measures everything. `print_data` prints a table for each benchmark, `save_path` is a folder for a CSV file and a
        plot of each, `show_plots` needs matplotlib and `return_df` pandas; it gives one data frame or a list of them."""
        if show_plots:
            _pyplot()
        several = isinstance(self.benchmarks, (tuple, list))
        frames = []
        for benchmark in self.benchmarks if several else [self.benchmarks]:
            rows = list(self._rows(benchmark, kwargs))
            header = [*benchmark.x_names, *benchmark.line_names]
            if print_data:
                print(f"{benchmark.plot_name}:")
                print("  ".join(header))
                for values, row in rows:
                    print("  ".join([*map(str, values), *(f"{entry[0]:.6g}" for entry in row)]))
            picture = None
            if save_path:
                folder = pathlib.Path(save_path)
                self._write(benchmark, rows, folder)
                picture = folder / f"{benchmark.plot_name}.png"
            if show_plots or (picture and _has_matplotlib()):
                self._plot(benchmark, rows, show_plots, picture)
            if return_df:
                import pandas
                frames.append(pandas.DataFrame([[*values, *(entry[0] for entry in row)] for values, row in rows],
                                               columns=header))
        if return_df:
            return frames if several else frames[0]
        return None


def _has_matplotlib():
    try:
        _pyplot()
    except ImportError:
        return False
    return True


def perf_report(benchmarks: Benchmark | Sequence[Benchmark]) -> Callable[[Callable], Mark]:
    """Decorator: gives the function a `run` that measures it."""
    return lambda fn: Mark(fn, benchmarks)
