"""Writes UnicodeTables.inc from the unicodedata module of Python 3.11.

Run `python3.11 generate_unicode_tables.py > UnicodeTables.inc`. Each table is
a flat list of numbers in which code points are stored as differences, which
keeps the file small; Unicode.cpp expands them once.
"""

import sys
import unicodedata

LAST = 0x110000


def ranges(predicate):
    """Pairs (gap since the previous range, length) of a set of characters."""
    numbers, end, start = [], 0, None
    for c in range(LAST + 1):
        holds = c < LAST and predicate(chr(c))
        if holds and start is None:
            start = c
        elif not holds and start is not None:
            numbers += [start - end, c - start]
            start, end = None, c
    return numbers


def combining_classes():
    """Pairs (difference, canonical combining class)."""
    numbers, previous = [], 0
    for c in range(LAST):
        if unicodedata.combining(chr(c)):
            numbers += [c - previous, unicodedata.combining(chr(c))]
            previous = c
    return numbers


def in_identifier(c):
    return ("a" + chr(c)).isidentifier()


def decompositions():
    """Entries (difference, count, code points) of the full NFKD mapping."""
    numbers, previous = [], 0
    for c in range(LAST):
        if not in_identifier(c) or 0xAC00 <= c <= 0xD7A3:
            continue
        form = unicodedata.normalize("NFKD", chr(c))
        if form != chr(c):
            numbers += [c - previous, len(form), *map(ord, form)]
            previous = c
    return numbers


def compositions():
    """Triples (difference, first, second) of the characters that NFC makes."""
    numbers, previous = [], 0
    for c in range(LAST):
        parts = unicodedata.decomposition(chr(c)).split()
        if len(parts) != 2 or parts[0].startswith("<"):
            continue
        if unicodedata.normalize("NFC", chr(c)) == chr(c):
            numbers += [c - previous, int(parts[0], 16), int(parts[1], 16)]
            previous = c
    return numbers


def write(name, comment, numbers):
    print(f"// {comment}\nconstexpr uint32_t {name}[] = {{")
    line = ""
    for number in numbers:
        if len(line) + len(str(number)) + 1 > 118:
            print(line)
            line = ""
        line += f"{number},"
    print(line + "\n};")


def main():
    print("//===- UnicodeTables.inc - Generated character properties -*- C++ -*-===//")
    print("// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.")
    print("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
    print("//")
    print(f"// Written by generate_unicode_tables.py, Unicode {unicodedata.unidata_version}.")
    print("//===------------------------------------------------------------------===//")
    gaps = "Pairs (gap, length)."
    write("identifierStartRanges", gaps, ranges(str.isidentifier))
    write("identifierContinueRanges", gaps, ranges(lambda c: ("a" + c).isidentifier()))
    write("printableRanges", gaps, ranges(str.isprintable))
    write("combiningClasses", "Pairs (difference, class).", combining_classes())
    write("decompositions", "Entries (difference, count, code points).", decompositions())
    write("compositions", "Triples (difference, first, second).", compositions())


if __name__ == "__main__":
    sys.exit(main())
