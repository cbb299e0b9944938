# Included by the root CMakeLists.txt, since a language must be enabled above every target that links it.
# Sets TILEWALK_HAS_CUDA from the option TILEWALK_CUDA (AUTO, ON, OFF) and the installed toolkit.
set(TILEWALK_HAS_CUDA OFF)
if(TILEWALK_CUDA STREQUAL "OFF")
  message(STATUS "Kernels: CPU only (TILEWALK_CUDA is OFF)")
  return()
endif()
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
  set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(TILEWALK_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TILEWALK_CUDA is ON, and no CUDA compiler was found. "
                        "Install the CUDA toolkit, or set it to AUTO")
  endif()
  message(STATUS "Kernels: CPU only (no CUDA compiler found)")
  return()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES
    75-real  # Turing (T4, RTX 20), the oldest that CUDA 13 supports
    80-real  # Ampere (A100); RTX 30 and 40 run it too
    90)  # Hopper (H100, H200), and as PTX on later GPUs
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know nvcc's C++20 option
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.4)
  if(TILEWALK_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is too old: 12.4 or later is needed")
  endif()
  message(STATUS "Kernels: CPU only (CUDA ${CMAKE_CUDA_COMPILER_VERSION} is older than 12.4)")
  return()
endif()
set(TILEWALK_HAS_CUDA ON)
message(STATUS "Kernels: GPU (CUDA ${CMAKE_CUDA_COMPILER_VERSION}) and CPU")
