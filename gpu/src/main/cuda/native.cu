// SPDX-License-Identifier: Apache-2.0
// What io.sparknd.kernel.cudf.Native calls. Numbers of dtypes and steps are those of Native's enums.
#include <jni.h>

#include <type_traits>

#include "rows.h"

namespace {

using namespace sparknd;

template <class T>
T* pointer(jlong address) {
  return reinterpret_cast<T*>(address);
}

struct FoldCall {
  jlong target;
  jlong keys;
  jlong order;
  jint count;
  jlong updates;
  jint width;  // elements of a row
  jlong stream;
};

template <class T, class Step>
int foldAs(const FoldCall& call, int32_t width) {
  Fold<T, Step> body{pointer<T>(call.target), pointer<int32_t>(call.keys),
                     pointer<int32_t>(call.order), call.count, pointer<T>(call.updates), width};
  return forEachCell(call.count, width, (Stream)call.stream, body);
}

// Elements that a thread folds side by side: enough for wide reads, few enough for the compiler.
template <class T>
constexpr int kPack = sizeof(T) == 4 ? 4 : std::is_same<T, double>::value || sizeof(T) == 2 ? 2 : 1;

template <class T, class Step>
int fold(const FoldCall& call) {
  if constexpr (kPack<T> > 1) {
    if (call.width % kPack<T> == 0) {
      return foldAs<Pack<T, kPack<T>>, Step>(call, call.width / kPack<T>);
    }
  }
  return foldAs<T, Step>(call, call.width);
}

constexpr int kUnknown = -1;

template <class T>
int foldReals(int step, const FoldCall& call) {
  switch (step) {
    case 0: return fold<T, Add>(call);
    case 1: return fold<T, Sub>(call);
    case 2: return fold<T, Mul>(call);
    case 3: return fold<T, Div>(call);
    case 4: return fold<T, Min>(call);
    case 5: return fold<T, Max>(call);
    case 6: return fold<T, Fmin>(call);
    case 7: return fold<T, Fmax>(call);
    default: return kUnknown;
  }
}

// Without NaN there is one minimum and one maximum. Sums wrap alike, whatever the sign.
template <class T>
int foldIntegers(int step, const FoldCall& call) {
  using Signed = typename std::make_signed<T>::type;
  switch (step) {
    case 0: return fold<Signed, Add>(call);
    case 1: return fold<Signed, Sub>(call);
    case 2: return fold<Signed, Mul>(call);
    case 4:
    case 6: return fold<T, Min>(call);
    case 5:
    case 7: return fold<T, Max>(call);
    default: return kUnknown;
  }
}

template <class T>
int foldComplex(int step, const FoldCall& call) {
  switch (step) {
    case 0: return fold<Complex<T>, Add>(call);
    case 1: return fold<Complex<T>, Sub>(call);
    case 2: return fold<Complex<T>, Mul>(call);
    case 3: return fold<Complex<T>, Div>(call);
    default: return kUnknown;
  }
}

int foldOf(int dtype, int step, const FoldCall& call) {
  switch (dtype) {
    case 0: return foldIntegers<int8_t>(step, call);
    case 1: return foldIntegers<int16_t>(step, call);
    case 2: return foldIntegers<int32_t>(step, call);
    case 3: return foldIntegers<int64_t>(step, call);
    case 4: return foldIntegers<uint8_t>(step, call);
    case 5: return foldIntegers<uint16_t>(step, call);
    case 6: return foldIntegers<uint32_t>(step, call);
    case 7: return foldIntegers<uint64_t>(step, call);
    case 8: return foldReals<Float16>(step, call);
    case 9: return foldReals<Bfloat16>(step, call);
    case 10: return foldReals<float>(step, call);
    case 11: return foldReals<double>(step, call);
    case 12: return foldComplex<float>(step, call);
    case 13: return foldComplex<double>(step, call);
    default: return kUnknown;
  }
}

// Rows are moved in the widest words that divide them; memory of a device begins at 256 bytes.
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

}  // namespace

#define NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_io_sparknd_kernel_cudf_Native_##name

NATIVE(jlong, sortScratch)(JNIEnv*, jclass, jint count, jint bits) {
  return sortScratch(count, bits);
}

NATIVE(jint, sort)
(JNIEnv*, jclass, jlong keys, jlong numbers, jlong sortedKeys, jlong order, jint count, jint bits,
 jlong scratch, jlong scratchBytes, jlong stream) {
  int failed = forEachCell(count, 1, (Stream)stream, Number{pointer<int32_t>(numbers)});
  if (failed) {
    return failed;
  }
  return sortPairs(pointer<int32_t>(keys), pointer<int32_t>(sortedKeys), pointer<int32_t>(numbers),
                   pointer<int32_t>(order), count, bits, pointer<void>(scratch), scratchBytes,
                   (Stream)stream);
}

NATIVE(jint, fold)
(JNIEnv*, jclass, jint dtype, jint step, jlong target, jlong keys, jlong order, jint count,
 jlong updates, jint width, jlong stream) {
  return foldOf(dtype, step, {target, keys, order, count, updates, width, stream});
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

NATIVE(jlong, address)(JNIEnv* env, jclass, jobject buffer) {
  return reinterpret_cast<jlong>(env->GetDirectBufferAddress(buffer));
}
