"""Times of cases, taken in turns: every turn measures each function of each case once."""
import dataclasses
import math
import statistics

from .. import testing

#: A sample is the mean of as many calls as take so long, so that the clock's steps do not count.
_SAMPLE_MILLISECONDS = 5.0
_MOST_CALLS = 1000
#: Normal noise: deviation from the median absolute deviation, and standard error of a median.
_DEVIATION_OF_MAD, _ERROR_OF_MEDIAN = 1.4826, 1.2533


@dataclasses.dataclass
class Figure:
    """What a case gave: its median and the standard error of that, in `unit`; less is better."""

    unit: str
    median: float
    error: float
    milliseconds: dict

    @staticmethod
    def of(samples):
        """The figure of {name: milliseconds in each turn}; of the first name, over the fastest other one if there is any."""
        medians = {name: statistics.median(times) for name, times in samples.items()}
        own, *peers = samples
        peer = min(peers, key=medians.get, default=None)
        values = samples[own] if peer is None else [a / b for a, b in zip(samples[own], samples[peer])]
        median = statistics.median(values)
        deviation = _DEVIATION_OF_MAD * statistics.median(abs(value - median) for value in values)
        unit = "ms" if peer is None else "times " + " or ".join(sorted(peers))
        return Figure(unit, median, _ERROR_OF_MEDIAN * deviation / math.sqrt(len(values)), medians)


class _Sampler:
    """Milliseconds of a call, as the mean of several."""

    def __init__(self, function, timer):
        self.timer, self.calls = timer, [(function, lambda: None)]
        function()  # compiles
        once = max(timer.milliseconds(self.calls * 2)[1], 1e-3)
        self.calls *= max(1, min(math.ceil(_SAMPLE_MILLISECONDS / once), _MOST_CALLS))

    def __call__(self):
        return statistics.mean(self.timer.milliseconds(self.calls))


def measure(cases, turns):
    """{name of case: Figure}; all cases are prepared first, so that their turns can alternate."""
    prepared = {case.name: case.prepare() for case in cases}
    timer = testing.timer()
    samplers = {name: {key: _Sampler(function, timer) for key, function in _by_name(functions).items()}
                for name, functions in prepared.items()}
    samples = {name: {key: [] for key in row} for name, row in samplers.items()}
    for _ in range(turns):
        for name, row in samplers.items():
            for key, sampler in row.items():
                samples[name][key].append(sampler())
    return {name: Figure.of(row) for name, row in samples.items()}


def _by_name(functions):
    return functions if isinstance(functions, dict) else {"ours": functions}
