# tilewright_add_kernel(<target> SOURCE <k.py> KERNEL <kernel> SIGNATURE <signature> TARGETS <target>... [OPTIONS k=v...])
#
# Compiles a kernel when the project is built and makes <target>, a static library that holds the artifacts. Its header
# <target>.h declares for each target, in the order given,
#   extern const unsigned char <target>_<n>_twa[]; extern const unsigned long long <target>_<n>_twa_size;
# and <target>_<vendor>_twa for the first target of each vendor. The .twa files lie in the build folder too.
function(tilewright_add_kernel target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE;KERNEL;SIGNATURE" "TARGETS;OPTIONS")
  foreach(required SOURCE KERNEL SIGNATURE TARGETS)
    if(NOT arg_${required})
      message(FATAL_ERROR "tilewright_add_kernel(${target}): expected ${required}")
    endif()
  endforeach()
  get_filename_component(source ${arg_SOURCE} ABSOLUTE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.kernel)
  file(MAKE_DIRECTORY ${folder})
  set(options)
  foreach(option ${arg_OPTIONS})
    list(APPEND options --opt ${option})
  endforeach()
  set(artifacts)
  set(index 0)
  foreach(kernelTarget ${arg_TARGETS})
    set(artifact ${folder}/${target}_${index}.twa)
    add_custom_command(
      OUTPUT ${artifact}
      COMMAND Tilewright::tilewright compile ${source} --kernel ${arg_KERNEL} --sig ${arg_SIGNATURE}
              --target ${kernelTarget} ${options} -o ${artifact}
      DEPENDS ${source} Tilewright::tilewright
      COMMENT "Compiling ${arg_KERNEL} for ${kernelTarget}"
      VERBATIM)
    list(APPEND artifacts ${artifact})
    math(EXPR index "${index} + 1")
  endforeach()
  list(JOIN arg_TARGETS "," targets)
  list(JOIN artifacts "," files)
  add_custom_command(
    OUTPUT ${folder}/${target}.c ${folder}/${target}.h
    COMMAND ${CMAKE_COMMAND} -D NAME=${target} -D FILES=${files} -D TARGETS=${targets} -D FOLDER=${folder}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TilewrightEmbed.cmake
    DEPENDS ${artifacts} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TilewrightEmbed.cmake
    VERBATIM)
  add_library(${target} STATIC ${folder}/${target}.c ${folder}/${target}.h)
  target_include_directories(${target} PUBLIC ${folder})
endfunction()
