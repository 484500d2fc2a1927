"""Which configuration of a target a row of the language suite runs on.

`--vary` names the values of options; a row takes one combination of them, by a hash of its name, so that one run has
each row in one combination and each combination on a fair part of every table. `--turn` moves all rows on: as many turns
as there are combinations have every row in each.
"""
import itertools
import re
import zlib


def vendor_of(target):
    """"spirv" of "spirv:opencl2.0", "spirv+sg8" and "spirv@1"."""
    return re.match(r"\w+", target)[0]


def options_of(texts):
    """Launch options from KEY=VALUE texts; whole numbers become integers."""
    pairs = (text.split("=", 1) for text in texts)
    return {key: int(value) if value.isdecimal() else value for key, value in pairs}


def combinations(varied):
    """All combinations of texts such as "num_warps=1,2,4", as lists of KEY=VALUE."""
    axes = []
    for text in varied:
        key, values = text.split("=", 1)
        axes.append([f"{key}={value}" for value in values.split(",")])
    return [list(chosen) for chosen in itertools.product(*axes)]


def configuration(row, target, varied, turn):
    """(target, options) of the row of that name."""
    every = combinations(varied)
    options = options_of(every[(zlib.crc32(row.encode()) + turn) % len(every)])
    return options.pop("target", target), options
