"""Rows that fail because of a fault in the compiler: row -> diagnosis and the room that has to mend it.

Every row here is run and expected to fail; when it passes the suite fails until the entry is removed. An entry is never
a reason to weaken a row.
"""

FAULTS = {
    "test_memory::test_offset_types[int8]": "sema: an i8 offset added to a pointer gives the internal error TW2009",
    "test_memory::test_offset_types[int16]": "sema: an i16 offset added to a pointer gives the internal error TW2009",
    "test_rules::test_rule_k5_literal": "sema: atomic_cas truncates a float literal for an int element without an error",
    "test_rules::test_rule_n1_tuple_arguments": "Python package: a tuple of numbers as argument is refused (TW6053)",
    "test_syntax::test_static[class]": "Python package: a class that holds kernels is not captured as a global (TW2171)",
    "test_syntax::test_meta_arguments": "Python package: the constants of **META are refused as one dict (TW6053)",
    "test_surface::test_libdevice_function[lgamma]": "sema, maths: libdevice.lgamma is missing (TW2177)",
    "test_surface::test_libdevice_function[j0]": "sema, maths: libdevice.j0 is missing (TW2177)",
    "test_surface::test_libdevice_function[j1]": "sema, maths: libdevice.j1 is missing (TW2177)",
    "test_surface::test_libdevice_function[erfinv]": "sema, maths: libdevice.erfinv is missing (TW2177)",
    "test_surface::test_libdevice_function[erfcx]": "sema, maths: libdevice.erfcx is missing (TW2177)",
    "test_surface::test_libdevice_pair[nextafter]": "sema, maths: libdevice.nextafter is missing (TW2177)",
    "test_surface::test_float8e4b15": "sema: tl.float8e4b15 is refused (TW2025), though the documentation lists it",
}

NARROW = "sema: an offset of 8 or 16 signed bits gives the internal error TW2009 (addptr wants i32 or i64)"
UNSIGNED = "sema: pointer minus an unsigned offset negates before it widens, so the address is wrong (silently)"
for rank in (0, 1):
    for form in ("x + o", "o + x", "x - o"):
        for dtype in ("int8", "int16"):
            FAULTS[f"test_memory::test_addresses[{rank}-{form}-{dtype}]"] = NARROW
    for dtype in ("uint8", "uint16", "uint32"):
        FAULTS[f"test_memory::test_addresses[{rank}-x - o-{dtype}]"] = UNSIGNED
