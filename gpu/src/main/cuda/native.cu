// SPDX-License-Identifier: Apache-2.0
// JNI functions of io.sparknd.kernel.cudf.Native, whose number() methods define dtypes and steps.
#include <jni.h>

#include <type_traits>

#include "lists.h"
#include "rows.h"
#include "runs.h"

namespace {

using namespace sparknd;

template <class T>
T* pointer(jlong address) {
  return reinterpret_cast<T*>(address);
}

// Elements per thread in a fold: enough for wide reads, few enough for registers.
template <class T>
constexpr int kPack = sizeof(T) == 4 ? 4 : std::is_same<T, double>::value || sizeof(T) == 2 ? 2 : 1;

constexpr int kUnknown = -1;

template <class T, class Call>
int withRealStep(int step, const Call& call) {
  switch (step) {
    case 0: return call.template run<T, Add>();
    case 1: return call.template run<T, Sub>();
    case 2: return call.template run<T, Mul>();
    case 3: return call.template run<T, Div>();
    case 4: return call.template run<T, Min>();
    case 5: return call.template run<T, Max>();
    case 6: return call.template run<T, Fmin>();
    case 7: return call.template run<T, Fmax>();
    default: return kUnknown;
  }
}

// Without NaN, fmin is min and fmax is max. Sums and products wrap alike for signed and unsigned.
template <class T, class Call>
int withIntegerStep(int step, const Call& call) {
  using Signed = typename std::make_signed<T>::type;
  switch (step) {
    case 0: return call.template run<Signed, Add>();
    case 1: return call.template run<Signed, Sub>();
    case 2: return call.template run<Signed, Mul>();
    case 4:
    case 6: return call.template run<T, Min>();
    case 5:
    case 7: return call.template run<T, Max>();
    default: return kUnknown;
  }
}

template <class T, class Call>
int withComplexStep(int step, const Call& call) {
  switch (step) {
    case 0: return call.template run<Complex<T>, Add>();
    case 1: return call.template run<Complex<T>, Sub>();
    case 2: return call.template run<Complex<T>, Mul>();
    case 3: return call.template run<Complex<T>, Div>();
    default: return kUnknown;
  }
}

// The dtypes of Spark columns.
template <class Call>
int withColumnStep(int dtype, int step, const Call& call) {
  switch (dtype) {
    case 0: return withIntegerStep<int8_t>(step, call);
    case 1: return withIntegerStep<int16_t>(step, call);
    case 2: return withIntegerStep<int32_t>(step, call);
    case 3: return withIntegerStep<int64_t>(step, call);
    case 4: return withIntegerStep<uint8_t>(step, call);
    case 10: return withRealStep<float>(step, call);
    case 11: return withRealStep<double>(step, call);
    default: return kUnknown;
  }
}

template <class Call>
int withStep(int dtype, int step, const Call& call) {
  switch (dtype) {
    case 5: return withIntegerStep<uint16_t>(step, call);
    case 6: return withIntegerStep<uint32_t>(step, call);
    case 7: return withIntegerStep<uint64_t>(step, call);
    case 8: return withRealStep<Float16>(step, call);
    case 9: return withRealStep<Bfloat16>(step, call);
    case 12: return withComplexStep<float>(step, call);
    case 13: return withComplexStep<double>(step, call);
    default: return withColumnStep(dtype, step, call);
  }
}

// What a fold keeps beside its tensor, in one allocation.
struct FoldScratch {
  int32_t* numbers;
  int32_t* keys;   // sorted
  int32_t* order;  // for each of keys, its update
  LongRuns runs;
  char* sort;
  int64_t sortBytes;
  int64_t bytes;

  FoldScratch(char* memory, int32_t count, int32_t bits) : bytes(0) {
    int64_t ints = (int64_t)count * sizeof(int32_t);
    numbers = reinterpret_cast<int32_t*>(take(memory, ints));
    keys = reinterpret_cast<int32_t*>(take(memory, ints));
    order = reinterpret_cast<int32_t*>(take(memory, ints));
    runs.count = reinterpret_cast<int32_t*>(take(memory, sizeof(int32_t)));
    runs.starts = reinterpret_cast<int32_t*>(take(memory, ints / kLongRun));
    sortBytes = sortScratch(count, bits);
    sort = take(memory, sortBytes);
  }

  char* take(char* memory, int64_t wanted) {
    char* taken = memory + bytes;
    constexpr int64_t kAligned = 256;
    bytes += (wanted + kAligned - 1) / kAligned * kAligned;
    return taken;
  }
};

struct FoldCall {
  jlong target;
  FoldScratch scratch;
  jint count;
  jlong updates;
  jint width;  // elements per row
  Stream stream;

  template <class T, class Step>
  int run() const {
    int failed = fill(scratch.runs.count, 0, sizeof(int32_t), stream);
    if (!failed) {
      failed = shortRuns<T, Step>();
    }
    return failed ? failed : foldLongRuns(fold<T, Step>(width), stream);
  }

  template <class T, class Step>
  int shortRuns() const {
    if constexpr (kPack<T> > 1) {
      if (width % kPack<T> == 0) {
        int32_t columns = width / kPack<T>;
        return forEachCell(count, columns, stream, fold<Pack<T, kPack<T>>, Step>(columns));
      }
    }
    return forEachCell(count, width, stream, fold<T, Step>(width));
  }

  template <class T, class Step>
  Fold<T, Step> fold(int32_t columns) const {
    return {pointer<T>(target), scratch.keys,        scratch.order, count,
            pointer<T>(updates), columns, scratch.runs};
  }
};

// Copies rows in the widest words that divide them; device allocations are aligned to 256 bytes.
template <class Work>
int inWords(int64_t rowBytes, Work work) {
  if (rowBytes % 16 == 0) {
    return work(Pack<uint64_t, 2>{}, (int32_t)(rowBytes / 16));
  }
  if (rowBytes % 8 == 0) {
    return work(uint64_t{}, (int32_t)(rowBytes / 8));
  }
  if (rowBytes % 4 == 0) {
    return work(uint32_t{}, (int32_t)(rowBytes / 4));
  }
  return rowBytes % 2 == 0 ? work(uint16_t{}, (int32_t)(rowBytes / 2))
                           : work(uint8_t{}, (int32_t)rowBytes);
}

// A column in the layout of io.sparknd.kernel.cudf.MeasuredRows.
template <class T>
Rows<T> rowsOf(JNIEnv* env, jlongArray column) {
  jlong at[5];
  env->GetLongArrayRegion(column, 0, 5, at);
  return {pointer<T>(at[0]), pointer<const int32_t>(at[1]), pointer<const int32_t>(at[2]),
          (int32_t)at[3], pointer<const uint32_t>(at[4])};
}

template <class To, class From>
Rows<To> as(Rows<From> rows) {
  return {reinterpret_cast<To*>(rows.elements), rows.dims, rows.starts, rows.rank, rows.valid};
}

Tuples tuplesOf(JNIEnv* env, jlongArray indices, jint bytes, jint depth, jint negative, jint bad) {
  Rows<const char> rows = rowsOf<const char>(env, indices);
  return {rows, {rows.elements, bytes}, depth, negative, bad};
}

// Threads per row: most slices have at least as many elements; for smaller slices, threads idle.
constexpr int kLanes = 8;

constexpr int kTake = 8;

// The last update of an element wins.
struct Take {
  template <class T>
  BODY static T apply(T, T update) {
    return update;
  }
};

struct ScatterCall {
  jint rows;
  Rows<char> target;
  Tuples tuples;
  Rows<const char> updates;
  int32_t* odd;
  jlong stream;

  template <class T, class Step>
  int run() const {
    ScatterRows<T, Step> body{as<T>(target), tuples, as<const T>(updates), kLanes, odd};
    return forEachCell(rows, kLanes, (Stream)stream, body);
  }
};

template <class Work>
int inWord(int32_t bytes, Work work) {
  switch (bytes) {
    case 1: return work(uint8_t{});
    case 2: return work(uint16_t{});
    case 4: return work(uint32_t{});
    default: return work(uint64_t{});
  }
}

}  // namespace

#define NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_io_sparknd_kernel_cudf_Native_##name

NATIVE(jlong, foldScratch)(JNIEnv*, jclass, jint count, jint bits) {
  return FoldScratch(nullptr, count, bits).bytes;
}

NATIVE(jint, fold)
(JNIEnv*, jclass, jint dtype, jint step, jlong target, jlong keys, jint count, jint bits,
 jlong updates, jint width, jlong scratch, jlong stream) {
  Stream on = (Stream)stream;
  FoldScratch memory(pointer<char>(scratch), count, bits);
  int failed = forEachCell(count, 1, on, Number{memory.numbers});
  if (!failed) {
    failed = sortPairs(pointer<int32_t>(keys), memory.keys, memory.numbers, memory.order, count,
                       bits, memory.sort, memory.sortBytes, on);
  }
  return failed ? failed
                : withStep(dtype, step, FoldCall{target, memory, count, updates, width, on});
}

NATIVE(jint, move)
(JNIEnv*, jclass, jlong target, jlong last, jint targetRows, jlong slots, jint count, jlong updates,
 jlong rowBytes, jlong stream) {
  Stream on = (Stream)stream;
  int32_t* lasts = pointer<int32_t>(last);
  int failed = fill(lasts, 0xff, (int64_t)targetRows * sizeof(int32_t), on);
  if (!failed) {
    failed = forEachCell(count, 1, on, Last{lasts, pointer<int32_t>(slots)});
  }
  if (failed) {
    return failed;
  }
  return inWords(rowBytes, [=](auto word, int32_t width) {
    using T = decltype(word);
    return forEachCell(count, width, on,
                       Move<T>{pointer<T>(target), lasts, pointer<int32_t>(slots),
                               pointer<T>(updates), width});
  });
}

NATIVE(jint, gather)
(JNIEnv*, jclass, jlong source, jlong slots, jint count, jlong result, jlong rowBytes,
 jlong stream) {
  return inWords(rowBytes, [=](auto word, int32_t width) {
    using T = decltype(word);
    return forEachCell(count, width, (Stream)stream,
                       Copy<T>{pointer<T>(source), pointer<int32_t>(slots), pointer<T>(result),
                               width});
  });
}

NATIVE(jint, carry)
(JNIEnv*, jclass, jlong fromEach, jlong fromFirst, jlong toEach, jlong toFirst, jint count,
 jlong rowBytes, jlong stream) {
  Places from{pointer<const int64_t>(fromEach), fromFirst};
  Places to{pointer<const int64_t>(toEach), toFirst};
  return inWords(rowBytes, [=](auto word, int32_t width) {
    using T = decltype(word);
    return forEachCell(count, width, (Stream)stream, Carry<T>{from, to, width});
  });
}

NATIVE(jint, copy)
(JNIEnv*, jclass, jlong target, jlong source, jlong bytes, jlong stream) {
  return copy(pointer<void>(target), pointer<const void>(source), bytes, (Stream)stream);
}

NATIVE(jint, measure)
(JNIEnv* env, jclass, jlongArray offsets, jlong valid, jint rows, jlong dims, jlong starts,
 jlong odd, jlong stream) {
  Lists lists{env->GetArrayLength(offsets), {}, pointer<const uint32_t>(valid)};
  jlong at[kMostRank] = {};
  env->GetLongArrayRegion(offsets, 0, lists.rank, at);
  for (int32_t level = 0; level < lists.rank; level++) {
    lists.offsets[level] = pointer<const int32_t>(at[level]);
  }
  Measure body{lists, pointer<int32_t>(dims), pointer<int32_t>(starts), pointer<int32_t>(odd)};
  return forEachCell(rows, 1, (Stream)stream, body);
}

NATIVE(jint, scatterRows)
(JNIEnv* env, jclass, jint dtype, jint bytes, jint step, jint rows, jlongArray target,
 jlongArray indices, jint indexBytes, jint depth, jint negative, jint bad, jlongArray updates, jlong odd,
 jlong stream) {
  ScatterCall call{rows,
                   rowsOf<char>(env, target),
                   tuplesOf(env, indices, indexBytes, depth, negative, bad),
                   rowsOf<const char>(env, updates),
                   pointer<int32_t>(odd),
                   stream};
  return step == kTake
             ? inWord(bytes, [&](auto word) { return call.run<decltype(word), Take>(); })
             : withColumnStep(dtype, step, call);
}

NATIVE(jint, gatherRows)
(JNIEnv* env, jclass, jint bytes, jint rows, jlongArray result, jlongArray params,
 jlongArray indices, jint indexBytes, jint depth, jint negative, jint bad, jlong odd,
 jlong stream) {
  Rows<char> into = rowsOf<char>(env, result);
  Rows<const char> from = rowsOf<const char>(env, params);
  Tuples tuples = tuplesOf(env, indices, indexBytes, depth, negative, bad);
  return inWord(bytes, [&](auto word) {
    using T = decltype(word);
    GatherRows<T> body{as<T>(into), as<const T>(from), tuples, kLanes, pointer<int32_t>(odd)};
    return forEachCell(rows, kLanes, (Stream)stream, body);
  });
}

NATIVE(jint, dims)
(JNIEnv* env, jclass, jint rows, jlongArray shapes, jint bytes, jint rank, jlong dims, jlong odd,
 jlong stream) {
  Rows<const char> given = rowsOf<const char>(env, shapes);
  Dims body{given, {given.elements, bytes}, rank, pointer<int32_t>(dims), pointer<int32_t>(odd)};
  return forEachCell(rows, 1, (Stream)stream, body);
}

NATIVE(jint, offsets)
(JNIEnv*, jclass, jint rows, jlong dims, jint rank, jint level, jlong lists, jlong inner,
 jlong offsets, jlong stream) {
  Offsets body{pointer<const int32_t>(dims),
               rank,
               level,
               pointer<const int32_t>(lists),
               pointer<const int32_t>(inner),
               pointer<int32_t>(offsets)};
  return forEachCell(rows, 1, (Stream)stream, body);
}

NATIVE(jint, zero)(JNIEnv*, jclass, jlong target, jlong bytes, jlong stream) {
  return fill(pointer<void>(target), 0, bytes, (Stream)stream);
}

NATIVE(jlong, address)(JNIEnv* env, jclass, jobject buffer) {
  return reinterpret_cast<jlong>(env->GetDirectBufferAddress(buffer));
}
