# Writes a source file with the texts that NVRTC compiles before a learner's kernel, as strings.
#   cmake -DROOT=… -DOUT=… -P embed.cmake
cmake_minimum_required(VERSION 3.25)

set(source "// Made by src/lab/gpu/embed.cmake.\n#include \"lab/gpu/gpu_text.h\"\n\nnamespace tilewalk::lab {\n")
foreach(each "kExactMathText;src/core/values/exact_math.h" "kPreludeText;src/lab/gpu/prelude.cuh")
  list(GET each 0 name)
  list(GET each 1 path)
  file(READ ${ROOT}/${path} text)
  string(REPLACE "#pragma once\n" "" text "${text}")
  string(APPEND source "\nconst char* const ${name} = R\"tilewalk(${text})tilewalk\";\n")
endforeach()
file(WRITE ${OUT} "${source}\n}  // namespace tilewalk::lab\n")
