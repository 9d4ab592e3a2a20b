// SPDX-License-Identifier: Apache-2.0
// Scatter and gather of tensors stored as the rows of a column: lists nested to the depth of the rank.
// Invalid rows (ragged lists, mismatched shapes, rejected indices) are only flagged in `odd`; the CPU
// processes the column again and reports the errors.
#pragma once

#include "steps.h"

namespace sparknd {

constexpr int kMostRank = 8;

BODY bool isValid(const uint32_t* valid, int32_t row) {
  return valid == nullptr || (valid[row >> 5] >> (row & 31) & 1);
}

struct Lists {
  int32_t rank;
  const int32_t* offsets[kMostRank];  // of each level, outermost first
  const uint32_t* valid;              // validity bitmap; null if all rows are valid
};

// Computes each row's dimensions and the position of its first element. Dimensions below an empty
// list are 0.
struct Measure {
  Lists lists;
  int32_t* dims;    // [rows, rank]
  int32_t* starts;  // [rows]
  int32_t* odd;

  BODY void operator()(int32_t row, int32_t) const {
    int32_t* lengths = dims + (int64_t)row * lists.rank;
    int32_t first = row;
    int32_t count = isValid(lists.valid, row) ? 1 : 0;
    for (int32_t level = 0; level < lists.rank; level++) {
      lengths[level] = 0;
      if (count > 0) {  // a column without lists may have null offsets
        const int32_t* at = lists.offsets[level] + first;
        lengths[level] = at[1] - at[0];
        for (int32_t i = 1; i < count; i++) {
          if (at[i + 1] - at[i] != lengths[level]) {
            raise(odd, 1);
          }
        }
        first = at[0];
        count = at[count] - at[0];
      }
    }
    starts[row] = first;
  }
};

// A column with the results of Measure.
template <class T>
struct Rows {
  T* elements;
  const int32_t* dims;
  const int32_t* starts;
  int32_t rank;
  const uint32_t* valid;

  BODY bool has(int32_t row) const { return isValid(valid, row); }
  BODY const int32_t* shape(int32_t row) const { return dims + (int64_t)row * rank; }
  BODY T* tensor(int32_t row) const { return elements + starts[row]; }
};

BODY int64_t product(const int32_t* dims, int32_t from, int32_t to) {
  int64_t product = 1;
  for (int32_t d = from; d < to; d++) {
    product *= dims[d];
  }
  return product;
}

struct Integers {
  const void* values;
  int32_t bytes;

  BODY int64_t at(int64_t i) const {
    switch (bytes) {
      case 1: return static_cast<const int8_t*>(values)[i];
      case 2: return static_cast<const int16_t*>(values)[i];
      case 4: return static_cast<const int32_t*>(values)[i];
      default: return static_cast<const int64_t*>(values)[i];
    }
  }
};

enum Negative { kNegativeRefused, kNegativeWraps, kNegativeBad };
enum Bad { kBadRefused, kBadIgnored, kBadClipped };

constexpr int64_t kDropped = -1;
constexpr int64_t kRefused = -2;

// Index tuples [..., depth], one tensor per row.
struct Tuples {
  Rows<const char> rows;  // with the elements `values`
  Integers values;
  int32_t depth;
  int32_t negative;
  int32_t bad;

  BODY int32_t slotDims() const { return rows.rank - 1; }
  BODY int64_t count(int32_t row) const { return product(rows.shape(row), 0, slotDims()); }

  // Whether the tuples can index a tensor of these dimensions; empty tuple tensors always can.
  BODY bool fit(int32_t row, const int32_t* dims, int32_t rank) const {
    const int32_t* shape = rows.shape(row);
    if (count(row) == 0) {
      return shape[0] == 0;
    }
    return shape[slotDims()] == depth && product(dims, 0, rank) > 0;
  }

  // Returns the slice that tuple `slot` names, or kDropped, or kRefused.
  BODY int64_t slice(int32_t row, int64_t slot, const int32_t* dims) const {
    int64_t slice = 0;
    bool out = false;
    for (int32_t d = 0; d < depth; d++) {
      int64_t value = values.at(rows.starts[row] + slot * depth + d);
      int64_t dim = dims[d];
      if (value < 0 && negative == kNegativeRefused) {
        return kRefused;
      }
      if (value < 0 && negative == kNegativeWraps) {
        value += dim;
      }
      if (bad == kBadClipped) {
        value = value < 0 ? 0 : value < dim ? value : dim - 1;
      }
      out |= value < 0 || value >= dim;
      slice = out ? 0 : slice * dim + value;
    }
    return !out ? slice : bad == kBadIgnored ? kDropped : kRefused;
  }
};

// Applies the updates of each row in order. Each lane owns distinct elements, so lanes need no
// synchronization.
template <class T, class Step>
struct ScatterRows {
  Rows<T> target;
  Tuples tuples;
  Rows<const T> updates;
  int32_t lanes;
  int32_t* odd;

  BODY bool fits(int32_t row) const {
    const int32_t* into = target.shape(row);
    const int32_t* given = updates.shape(row);
    const int32_t* at = tuples.rows.shape(row);
    int32_t slots = tuples.slotDims();
    if (!tuples.fit(row, into, target.rank)) {
      return false;
    }
    if (tuples.count(row) == 0) {
      return given[0] == 0;
    }
    bool same = true;
    for (int32_t d = 0; d < updates.rank; d++) {
      same &= given[d] == (d < slots ? at[d] : into[tuples.depth + d - slots]);
    }
    return same;
  }

  BODY void operator()(int32_t row, int32_t lane) const {
    if (!target.has(row) || !tuples.rows.has(row) || !updates.has(row)) {
      return;
    }
    if (!fits(row)) {
      raise(odd, 1);
      return;
    }
    const int32_t* dims = target.shape(row);
    int64_t width = product(dims, tuples.depth, target.rank);
    int64_t count = tuples.count(row);
    for (int64_t slot = 0; slot < count; slot++) {
      int64_t slice = tuples.slice(row, slot, dims);
      if (slice == kRefused) {
        raise(odd, 1);
        return;
      }
      if (slice != kDropped) {
        T* into = target.tensor(row) + slice * width;
        const T* from = updates.tensor(row) + slot * width;
        for (int64_t i = lane; i < width; i += lanes) {
          into[i] = Step::apply(into[i], from[i]);
        }
      }
    }
  }
};

// Dropped tuples yield zeros.
template <class T>
struct GatherRows {
  Rows<T> result;
  Rows<const T> params;
  Tuples tuples;
  int32_t lanes;
  int32_t* odd;

  BODY void operator()(int32_t row, int32_t lane) const {
    if (!params.has(row) || !tuples.rows.has(row)) {
      return;
    }
    const int32_t* dims = params.shape(row);
    if (!tuples.fit(row, dims, params.rank)) {
      raise(odd, 1);
      return;
    }
    int64_t width = product(dims, tuples.depth, params.rank);
    int64_t count = tuples.count(row);
    for (int64_t slot = 0; slot < count; slot++) {
      int64_t slice = tuples.slice(row, slot, dims);
      if (slice == kRefused) {
        raise(odd, 1);
        return;
      }
      T* into = result.tensor(row) + slot * width;
      const T* from = params.tensor(row) + slice * width;
      for (int64_t i = lane; i < width; i += lanes) {
        into[i] = slice == kDropped ? T{} : from[i];
      }
    }
  }
};

// Reads dimensions from a column of arrays.
struct Dims {
  Rows<const char> rows;
  Integers values;
  int32_t rank;
  int32_t* dims;  // [rows, rank]
  int32_t* odd;

  BODY void operator()(int32_t row, int32_t) const {
    int32_t* to = dims + (int64_t)row * rank;
    bool fits = rows.shape(row)[0] == rank;
    for (int32_t d = 0; d < rank; d++) {
      int64_t value = rows.has(row) && fits ? values.at(rows.starts[row] + d) : 0;
      bool isDim = value >= 0 && value <= INT32_MAX;
      to[d] = isDim ? (int32_t)value : 0;
      fits &= isDim;
    }
    if (rows.has(row) && !fits) {
      raise(odd, 1);
    }
  }
};

// Computes the offsets of one level from the list positions of that level and of the next.
struct Offsets {
  const int32_t* dims;
  int32_t rank;
  int32_t level;
  const int32_t* lists;  // [rows + 1]
  const int32_t* inner;  // [rows + 1]
  int32_t* offsets;

  BODY void operator()(int32_t row, int32_t) const {
    int32_t length = dims[(int64_t)row * rank + level];
    for (int32_t i = lists[row]; i < lists[row + 1]; i++) {
      offsets[i] = inner[row] + (i - lists[row]) * length;
    }
    offsets[lists[row + 1]] = inner[row + 1];
  }
};

}  // namespace sparknd
