# Writes the bytes of INPUT as a C++ array initialiser to OUTPUT. Run with cmake -P.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}\n")
