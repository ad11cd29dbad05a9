# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Headers of a library of Swift models, written when the library is newer:
#
#   add_library(Shop SHARED IMPORTED)
#   set_target_properties(Shop PROPERTIES IMPORTED_LOCATION ${...}/libShop.so IMPORTED_NO_SONAME ON)
#   decant_generate_header(TARGET Shop HEADERS shop.h)
#   target_link_libraries(service PRIVATE Shop_headers)
#
# Shop_headers has the library, decant.h and the folder of the headers: OUTPUT, which counts from the build folder, or
# Shop_headers there. HEADERS are those that the library writes and the program includes. A target with `::` in its name
# has `_` there: My::Shop has My_Shop_headers.

function(decant_generate_header)
  cmake_parse_arguments(PARSE_ARGV 0 header "" "TARGET;OUTPUT" "HEADERS")
  if(NOT header_TARGET OR NOT header_HEADERS OR header_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "decant_generate_header(TARGET library HEADERS file... [OUTPUT folder])")
  endif()
  string(REPLACE "::" "_" name ${header_TARGET}_headers)
  if(NOT header_OUTPUT)
    set(header_OUTPUT ${name})
  endif()
  cmake_path(ABSOLUTE_PATH header_OUTPUT BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  file(MAKE_DIRECTORY ${header_OUTPUT})
  list(TRANSFORM header_HEADERS PREPEND ${header_OUTPUT}/)

  # Headers that did not change keep their time; the stamp says when they were looked at.
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${name}.stamp)
  add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${header_HEADERS}
    COMMAND Decant::decant-header --output ${header_OUTPUT} $<TARGET_FILE:${header_TARGET}>
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${header_TARGET} $<TARGET_FILE:${header_TARGET}>
    COMMENT "Headers of ${header_TARGET}" VERBATIM)
  add_custom_target(${name}_written DEPENDS ${stamp})

  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_written)
  target_include_directories(${name} INTERFACE ${header_OUTPUT}
    $<TARGET_PROPERTY:Decant::decant,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${name} INTERFACE ${header_TARGET})
endfunction()
