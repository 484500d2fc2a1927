# The Python extension, for the build's Python and, in a wheel, for others.

# Makes the target tilewright_python for the Python of FindPython, with the C interfaces of the two libraries.
function(tilewright_add_python_extension compiler runtime)
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
  if(NOT nanobind_DIR)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_DIR
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endif()
  find_package(nanobind CONFIG REQUIRED)
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(sources ArrayView.cpp Callables.cpp Completion.cpp Dispatcher.cpp DispatchKey.cpp Handles.cpp native.cpp Rule.cpp
      Trace.cpp)
  list(TRANSFORM sources PREPEND ${folder}/)
  nanobind_add_module(tilewright_python NOMINSIZE ${sources})
  target_include_directories(tilewright_python PRIVATE ${folder}/../..)
  set_target_properties(tilewright_python PROPERTIES
    OUTPUT_NAME _native INSTALL_RPATH "$ORIGIN/lib" LINK_DEPENDS ${folder}/extension.exports)
  target_link_libraries(tilewright_python PRIVATE ${compiler} ${runtime})
  target_link_options(tilewright_python PRIVATE LINKER:--version-script=${folder}/extension.exports)
  target_compile_options(tilewright_python PRIVATE -Wno-error)
endfunction()
