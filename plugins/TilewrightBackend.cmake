# tilewright_add_backend(<name> [SDK] SOURCES <file>... [LINK <library>...] [VENDOR <vendor> PROFILES <profile>...])
#
# Builds the plugin libtilewright_<name>.so (target tilewright_<name>) as every backend must be built: one exported
# symbol, hidden visibility, nothing undefined, no lazy binding. VENDOR and PROFILES (compile, runtime, launch, override)
# write a manifest beside the library, so that hosts can choose it without opening it. A file <name>.check.json beside the
# sources (rules of the kit with reasons) is put beside the library, too. SDK adds what backends without LLVM share
# (tilewright/sdk/*.h, C++17) and the C reader of tw.portable, both compiled into the plugin.
#
# Tilewright_HEADERS is the folder of tilewright/plugin.h.
if(Tilewright_PREFIX) # outside of Tilewright's own build
  set(Tilewright_HEADERS ${Tilewright_PREFIX}/include)
else()
  set(Tilewright_HEADERS ${CMAKE_CURRENT_LIST_DIR}/include)
endif()

function(tilewright_add_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SDK" "VENDOR" "SOURCES;LINK;PROFILES")
  set(target tilewright_${name})
  set(folder ${CMAKE_BINARY_DIR}/lib/tilewright)
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/backend.exports)
  add_library(${target} MODULE ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES
    PREFIX lib
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    INSTALL_RPATH_USE_LINK_PATH ON
    BUILD_WITH_INSTALL_RPATH ON # CMake fills up the other kind with empty entries
    LIBRARY_OUTPUT_DIRECTORY ${folder}
    LINK_DEPENDS ${exports})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  endif()
  target_link_libraries(${target} PRIVATE ${arg_LINK})
  target_include_directories(${target} PRIVATE ${Tilewright_HEADERS})
  if(arg_SDK AND TARGET TilewrightSdk)
    target_link_libraries(${target} PRIVATE TilewrightSdk)
  elseif(arg_SDK)
    file(GLOB sdk ${Tilewright_PREFIX}/share/tilewright/sdk/*.cpp)
    target_sources(${target} PRIVATE ${sdk} ${Tilewright_PREFIX}/share/tilewright/portable/portable.c)
    target_compile_features(${target} PRIVATE cxx_std_17)
  endif()
  target_link_options(${target} PRIVATE
    LINKER:--version-script=${exports} LINKER:--exclude-libs,ALL LINKER:-Bsymbolic LINKER:--gc-sections
    LINKER:-z,now LINKER:-z,relro)
  if(NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
  include(GNUInstallDirs)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilewright)
  set(lists ${CMAKE_CURRENT_SOURCE_DIR}/${name}.check.json)
  if(EXISTS ${lists})
    configure_file(${lists} ${folder}/lib${target}.check.json COPYONLY)
    install(FILES ${folder}/lib${target}.check.json DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilewright)
  endif()
  if(arg_VENDOR)
    list(TRANSFORM arg_PROFILES PREPEND "\"")
    list(TRANSFORM arg_PROFILES APPEND "\"")
    list(JOIN arg_PROFILES ", " profiles)
    set(manifest ${folder}/lib${target}.json)
    file(CONFIGURE OUTPUT ${manifest} CONTENT
      "{\n  \"schema\": 1,\n  \"vendor\": \"@arg_VENDOR@\",\n  \"profiles\": [@profiles@]\n}\n" @ONLY)
    install(FILES ${manifest} DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilewright)
  endif()
endfunction()
