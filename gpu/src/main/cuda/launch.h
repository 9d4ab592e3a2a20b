// SPDX-License-Identifier: Apache-2.0
// Runs a body for every row and column: one thread per cell on a GPU, loops if compiled for the host.
// Tests run the same bodies on machines without a GPU.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>
#define BODY __host__ __device__ __forceinline__
#else
#include <algorithm>
#define BODY inline
#endif

namespace sparknd {

#if defined(__CUDACC__)

using Stream = cudaStream_t;

constexpr int kThreads = 256;
constexpr int64_t kMostBlocks = 1 << 20;

template <class Body>
__global__ void __launch_bounds__(kThreads) everyCell(int32_t rows, int32_t columns, Body body) {
  int64_t step = (int64_t)gridDim.x * blockDim.y;
  for (int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += step) {
    for (int32_t column = threadIdx.x; column < columns; column += blockDim.x) {
      body((int32_t)row, column);
    }
  }
}

// Consecutive threads process the columns of a row, then the next row.
template <class Body>
int forEachCell(int32_t rows, int32_t columns, Stream stream, Body body) {
  if (rows == 0 || columns == 0) {
    return cudaSuccess;
  }
  int across = 1;
  while (across < columns && across < kThreads) {
    across *= 2;
  }
  dim3 threads(across, kThreads / across);
  int64_t blocks = ((int64_t)rows + threads.y - 1) / threads.y;
  everyCell<<<(unsigned)(blocks < kMostBlocks ? blocks : kMostBlocks), threads, 0, stream>>>(
      rows, columns, body);
  return cudaGetLastError();
}

inline int64_t sortScratch(int32_t count, int32_t bits) {
  size_t bytes = 0;
  const int32_t* in = nullptr;
  int32_t* out = nullptr;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, in, out, in, out, count, 0, bits);
  return (int64_t)bytes;
}

// The sort is stable.
inline int sortPairs(const int32_t* keys, int32_t* sortedKeys, const int32_t* values,
                     int32_t* sortedValues, int32_t count, int32_t bits, void* scratch,
                     int64_t scratchBytes, Stream stream) {
  size_t bytes = (size_t)scratchBytes;
  return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, sortedKeys, values, sortedValues,
                                         count, 0, bits, stream);
}

inline int fill(void* target, int value, int64_t bytes, Stream stream) {
  return cudaMemsetAsync(target, value, (size_t)bytes, stream);
}

inline int copy(void* target, const void* source, int64_t bytes, Stream stream) {
  return cudaMemcpyAsync(target, source, (size_t)bytes, cudaMemcpyDeviceToDevice, stream);
}

BODY void raise(int32_t* target, int32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(target, value);
#endif
}

// Returns the value before.
BODY int32_t raiseByOne(int32_t* target) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(target, 1);
#else
  return (*target)++;
#endif
}

#else

using Stream = void*;

template <class Body>
int forEachCell(int32_t rows, int32_t columns, Stream, Body body) {
  for (int32_t row = 0; row < rows; row++) {
    for (int32_t column = 0; column < columns; column++) {
      body(row, column);
    }
  }
  return 0;
}

inline int64_t sortScratch(int32_t, int32_t) { return 1; }

inline int sortPairs(const int32_t* keys, int32_t* sortedKeys, const int32_t* values,
                     int32_t* sortedValues, int32_t count, int32_t, void*, int64_t, Stream) {
  std::copy(values, values + count, sortedValues);
  std::stable_sort(sortedValues, sortedValues + count,
                   [keys](int32_t a, int32_t b) { return keys[a] < keys[b]; });
  for (int32_t i = 0; i < count; i++) {
    sortedKeys[i] = keys[sortedValues[i]];
  }
  return 0;
}

inline int fill(void* target, int value, int64_t bytes, Stream) {
  std::memset(target, value, (size_t)bytes);
  return 0;
}

inline int copy(void* target, const void* source, int64_t bytes, Stream) {
  std::memcpy(target, source, (size_t)bytes);
  return 0;
}

BODY void raise(int32_t* target, int32_t value) {
  if (*target < value) {
    *target = value;
  }
}

BODY int32_t raiseByOne(int32_t* target) { return (*target)++; }

#endif

}  // namespace sparknd
