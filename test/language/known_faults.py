"""Rows that fail because of a fault in the compiler: row -> diagnosis and the room that has to mend it.

Every row here is run and expected to fail; when it passes the suite fails until the entry is removed. An entry is never
a reason to weaken a row.
"""

FAULTS = {
    "test_rules::test_rule_n1_tuple_arguments": "Python package: a tuple of numbers as argument is refused (TW6053)",
    "test_syntax::test_static[class]": "Python package: a class that holds kernels is not captured as a global (TW2171)",
    "test_syntax::test_meta_arguments": "Python package: the constants of **META are refused as one dict (TW6053)",
}
