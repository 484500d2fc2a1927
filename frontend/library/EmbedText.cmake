# Writes OUTPUT: one C++ raw string per file of the list INPUTS, named after the file.
set(text "")
foreach(input IN LISTS INPUTS)
  get_filename_component(name "${input}" NAME_WE)
  file(READ "${input}" content)
  string(APPEND text "static constexpr char ${name}Text[] = R\"--text--(${content})--text--\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
