"""Rows that fail because of a fault in the compiler: row -> diagnosis and the room that has to mend it.

Every row here is run and expected to fail; when it passes the suite fails until the entry is removed. An entry is never
a reason to weaken a row.
"""

FAULTS = {}
