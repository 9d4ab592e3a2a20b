// SPDX-License-Identifier: Apache-2.0
// Folds of rows with many updates. One thread per column must add them one after the other, so a
// block reads them ahead into shared memory, and only the additions wait for each other.
#pragma once

#include "launch.h"
#include "rows.h"

#if defined(__CUDACC__)
#include <cuda_pipeline_primitives.h>
#endif

namespace sparknd {

#if defined(__CUDACC__)

constexpr int kSegmentBytes = 128;  // of a row, per block
constexpr int kTileRows = 128;
constexpr int kTiles = 3;    // one that is folded, two that are read
constexpr int kNumbers = 4;  // of these two, and of the next two
constexpr int kReaders = kTileRows;  // threads; as many others fold, one per column

// Copies one word. Words of 1 and 2 bytes cannot be copied asynchronously.
__device__ __forceinline__ void readAhead(char* to, const char* from, int32_t bytes) {
  switch (bytes) {
    case 16: __pipeline_memcpy_async(to, from, 16); break;
    case 8: __pipeline_memcpy_async(to, from, 8); break;
    case 4: __pipeline_memcpy_async(to, from, 4); break;
    case 2: *reinterpret_cast<uint16_t*>(to) = *reinterpret_cast<const uint16_t*>(from); break;
    default: *to = *from;
  }
}

// The tiles in flight: updates, and before them their rows in `order`.
struct Tiles {
  alignas(16) char updates[kTiles][kTileRows * kSegmentBytes];
  int32_t numbers[kNumbers][kTileRows];
};

// The same columns of all updates of one row: order[from, end).
struct Segment {
  const char* updates;  // the segment of update 0
  const int32_t* order;
  int32_t from;
  int32_t end;
  int64_t rowBytes;
  int32_t words;  // of the segment
  int32_t wordBytes;

  __device__ int32_t tileRows(int32_t tile) const {
    int64_t left = (int64_t)end - from - (int64_t)tile * kTileRows;
    return left < 0 ? 0 : left < kTileRows ? (int32_t)left : kTileRows;
  }

  __device__ void readNumbers(int32_t reader, int32_t tile, Tiles& into) const {
    if (reader < tileRows(tile)) {
      __pipeline_memcpy_async(&into.numbers[tile % kNumbers][reader],
                              order + from + (int64_t)tile * kTileRows + reader, sizeof(int32_t));
    }
  }

  __device__ void readUpdates(int32_t reader, int32_t tile, Tiles& into) const {
    constexpr int kAhead = 8;
    int32_t shift = 32 - __clz(words - 1);  // threads per row: a power of 2
    int32_t word = reader & ((1 << shift) - 1);
    int32_t step = kReaders >> shift;
    int32_t rows = word < words ? tileRows(tile) : 0;
    const int32_t* numbers = into.numbers[tile % kNumbers];
    char* to = into.updates[tile % kTiles] + word * wordBytes;
    for (int32_t row = reader >> shift; row < rows; row += kAhead * step) {
      int32_t ahead[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; i++) {
        ahead[i] = row + i * step < rows ? numbers[row + i * step] : 0;
      }
#pragma unroll
      for (int i = 0; i < kAhead; i++) {
        if (row + i * step < rows) {
          readAhead(to + (row + i * step) * kSegmentBytes,
                    updates + ahead[i] * rowBytes + word * wordBytes, wordBytes);
        }
      }
    }
  }

  // One group of copies: a tile, and the numbers of the tile that is read two groups later.
  __device__ __forceinline__ void read(int32_t reader, int32_t tile, Tiles& into) const {
    readUpdates(reader, tile, into);
    readNumbers(reader, tile + kTiles - 1, into);
    __pipeline_commit();
  }
};

// A whole tile has a constant number of rows, so that the compiler reads far ahead.
template <class T, class Step>
__device__ T foldTile(T value, const T* updates, int32_t rows) {
  constexpr int32_t kStride = kSegmentBytes / (int32_t)sizeof(T);
  constexpr int kUnrolled = sizeof(T) == sizeof(float) ? 32 : 8;  // more code than it is worth
  if (rows == kTileRows) {
#pragma unroll kUnrolled
    for (int32_t row = 0; row < kTileRows; row++) {
      value = Step::apply(value, updates[row * kStride]);
    }
  } else {
    for (int32_t row = 0; row < rows; row++) {
      value = Step::apply(value, updates[row * kStride]);
    }
  }
  return value;
}

template <class T, class Step>
__device__ void foldSegment(const Segment& segment, Tiles& tiles, T* cell, bool folds) {
  int32_t reader = (int32_t)threadIdx.x - kReaders;
  if (reader >= 0) {
    for (int32_t tile = 0; tile < kTiles - 1; tile++) {
      segment.readNumbers(reader, tile, tiles);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  for (int32_t tile = 0; tile < kTiles - 1 && reader >= 0; tile++) {
    segment.read(reader, tile, tiles);
  }
  T value = folds ? *cell : T{};
  for (int32_t tile = 0; segment.tileRows(tile) > 0; tile++) {
    __pipeline_wait_prior(kTiles - 2);
    __syncthreads();  // the tile is there, and the one before is folded
    if (reader >= 0) {
      segment.read(reader, tile + kTiles - 1, tiles);
    } else if (folds) {
      const T* updates = reinterpret_cast<const T*>(tiles.updates[tile % kTiles]) + threadIdx.x;
      value = foldTile<T, Step>(value, updates, segment.tileRows(tile));
    }
  }
  __pipeline_wait_prior(0);
  __syncthreads();  // the tiles are free
  if (folds) {
    *cell = value;
  }
}

template <class T, class Step>
__global__ void __launch_bounds__(2 * kReaders)
    foldRuns(Fold<T, Step> fold, int32_t segments, int32_t wordBytes) {
  extern __shared__ char shared[];
  constexpr int32_t kColumns = kSegmentBytes / (int32_t)sizeof(T);
  int64_t items = (int64_t)*fold.runs.count * segments;
  for (int64_t item = blockIdx.x; item < items; item += gridDim.x) {
    int32_t from = fold.runs.starts[item / segments];
    int32_t first = (int32_t)(item % segments) * kColumns;
    int32_t columns = fold.width - first < kColumns ? fold.width - first : kColumns;
    Segment segment{reinterpret_cast<const char*>(fold.updates + first),
                    fold.order,
                    from,
                    endOfRun(fold.keys, from, fold.count),
                    (int64_t)fold.width * (int64_t)sizeof(T),
                    columns * (int32_t)sizeof(T) / wordBytes,
                    wordBytes};
    T* cell = fold.target + (int64_t)fold.keys[from] * fold.width + first + threadIdx.x;
    foldSegment<T, Step>(segment, *reinterpret_cast<Tiles*>(shared), cell,
                         (int32_t)threadIdx.x < columns);
  }
}

constexpr int kRunBlocks = 1024;  // several per multiprocessor of any GPU

// Folds the runs that the bodies of `fold` have left.
template <class T, class Step>
int foldLongRuns(Fold<T, Step> fold, Stream stream) {
  int64_t rowBytes = (int64_t)fold.width * (int64_t)sizeof(T);
  int32_t wordBytes = 16;
  while (rowBytes % wordBytes != 0) {
    wordBytes /= 2;
  }
  int32_t segments = (int32_t)((rowBytes + kSegmentBytes - 1) / kSegmentBytes);
  auto kernel = foldRuns<T, Step>;
  int failed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)sizeof(Tiles));  // above 48 KiB only if asked for
  if (failed) {
    return failed;
  }
  kernel<<<kRunBlocks, 2 * kReaders, sizeof(Tiles), stream>>>(fold, segments, wordBytes);
  return cudaGetLastError();
}

#else

template <class T, class Step>
int foldLongRuns(Fold<T, Step> fold, Stream) {
  for (int32_t i = 0; i < *fold.runs.count; i++) {
    int32_t from = fold.runs.starts[i];
    for (int32_t column = 0; column < fold.width; column++) {
      fold.run(from, endOfRun(fold.keys, from, fold.count), column);
    }
  }
  return 0;
}

#endif

}  // namespace sparknd
