// SPDX-License-Identifier: Apache-2.0
// Scatter and gather of rows; each body processes one column of one row.
#pragma once

#include "steps.h"

namespace sparknd {

// Returns the first entry from `from` on whose key is not keys[from]. Galloping search: most runs
// are short.
BODY int32_t endOfRun(const int32_t* keys, int32_t from, int32_t count) {
  int32_t key = keys[from];
  int64_t step = 1;
  int64_t low = from;
  while (low + step < count && keys[low + step] == key) {
    low += step;
    step *= 2;
  }
  int64_t high = low + step < count ? low + step : count;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (keys[middle] == key) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (int32_t)high;
}

// The rows with more than kLongRun updates, by the position of their first key.
struct LongRuns {
  int32_t* count;
  int32_t* starts;  // at most (number of keys) / kLongRun
};

constexpr int32_t kLongRun = 256;

// Folds a row's updates in their order. One thread per column, so results do not depend on thread
// scheduling. keys are sorted; order holds the row in updates of each key. Only lists long runs.
template <class T, class Step>
struct Fold {
  T* target;
  const int32_t* keys;
  const int32_t* order;
  int32_t count;
  const T* updates;
  int32_t width;
  LongRuns runs;

  BODY void operator()(int32_t row, int32_t column) const {
    if (row > 0 && keys[row - 1] == keys[row]) {
      return;
    }
    int32_t end = endOfRun(keys, row, count);
    if (end - row <= kLongRun) {
      run(row, end, column);
    } else if (column == 0) {
      runs.starts[raiseByOne(runs.count)] = row;
    }
  }

  BODY void run(int32_t row, int32_t end, int32_t column) const {
    T* cell = target + (int64_t)keys[row] * width + column;
    T value = *cell;
    int32_t next = row;
    constexpr int kAhead = 8;  // independent reads in flight
    for (; next + kAhead <= end; next += kAhead) {
      T ahead[kAhead];
      for (int i = 0; i < kAhead; i++) {
        ahead[i] = updates[(int64_t)order[next + i] * width + column];
      }
      for (int i = 0; i < kAhead; i++) {
        value = Step::apply(value, ahead[i]);
      }
    }
    for (; next < end; next++) {
      value = Step::apply(value, updates[(int64_t)order[next] * width + column]);
    }
    *cell = value;
  }
};

struct Number {
  int32_t* values;

  BODY void operator()(int32_t row, int32_t) const { values[row] = row; }
};

// Finds the last update of each target row.
struct Last {
  int32_t* last;
  const int32_t* slots;

  BODY void operator()(int32_t row, int32_t) const { raise(last + slots[row], row); }
};

template <class T>
struct Move {
  T* target;
  const int32_t* last;
  const int32_t* slots;
  const T* updates;
  int32_t width;

  BODY void operator()(int32_t row, int32_t column) const {
    int32_t slot = slots[row];
    if (last[slot] == row) {
      target[(int64_t)slot * width + column] = updates[(int64_t)row * width + column];
    }
  }
};

template <class T>
struct Copy {
  const T* source;
  const int32_t* slots;
  T* result;
  int32_t width;

  BODY void operator()(int32_t row, int32_t column) const {
    result[(int64_t)row * width + column] = source[(int64_t)slots[row] * width + column];
  }
};

// Row addresses: an array of addresses, or contiguous rows from `first` on.
struct Places {
  const int64_t* each;
  int64_t first;

  BODY int64_t of(int32_t row, int64_t rowBytes) const {
    return each ? each[row] : first + row * rowBytes;
  }
};

template <class T>
struct Carry {
  Places from;
  Places to;
  int32_t width;

  BODY void operator()(int32_t row, int32_t column) const {
    int64_t rowBytes = (int64_t)width * sizeof(T);
    reinterpret_cast<T*>(to.of(row, rowBytes))[column] =
        reinterpret_cast<const T*>(from.of(row, rowBytes))[column];
  }
};

}  // namespace sparknd
