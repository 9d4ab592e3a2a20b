// SPDX-License-Identifier: Apache-2.0
// The effect of one update on one element, bit for bit as in the Java kernels. The compiler must not
// fuse products and sums: -fmad=false, -ffp-contract=off.
#pragma once

#include <cmath>
#include <type_traits>

#include "halves.h"

namespace sparknd {

// Arithmetic of one type; integer overflow wraps.
template <class T>
struct Numbers {
  // at least 32 bits: narrower types are promoted to int, whose overflow is undefined
  using U = typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
  BODY static T add(T a, T b) { return (T)((U)a + (U)b); }
  BODY static T sub(T a, T b) { return (T)((U)a - (U)b); }
  BODY static T mul(T a, T b) { return (T)((U)a * (U)b); }
  BODY static T min(T a, T b) { return b < a ? b : a; }
  BODY static T max(T a, T b) { return a < b ? b : a; }
};

#if defined(__CUDA_ARCH__)
// One instruction each; -0 is less than 0 in PTX, too.
__device__ __forceinline__ float minOrNan(float a, float b) {
  float least;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
  return least;
}

__device__ __forceinline__ float maxOrNan(float a, float b) {
  float most;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(a), "f"(b));
  return most;
}
#endif

// min and max return NaN if either is NaN; fmin and fmax ignore NaN. -0 is less than 0.
template <class T>
struct Reals {
  BODY static T add(T a, T b) { return a + b; }
  BODY static T sub(T a, T b) { return a - b; }
  BODY static T mul(T a, T b) { return a * b; }
  BODY static T div(T a, T b) { return a / b; }
  BODY static T min(T a, T b) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same<T, float>::value) {
      return minOrNan(a, b);
    }
#endif
    if (a != a) {
      return a;
    }
    return a == b ? (std::signbit(a) ? a : b) : (a < b ? a : b);
  }
  BODY static T max(T a, T b) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same<T, float>::value) {
      return maxOrNan(a, b);
    }
#endif
    if (a != a) {
      return a;
    }
    return a == b ? (std::signbit(a) ? b : a) : (a > b ? a : b);
  }
  BODY static T fmin(T a, T b) { return a != a ? b : b != b ? a : min(a, b); }
  BODY static T fmax(T a, T b) { return a != a ? b : b != b ? a : max(a, b); }
};

template <>
struct Numbers<float> : Reals<float> {};
template <>
struct Numbers<double> : Reals<double> {};

// Computes each step in float32 and rounds the result.
template <class H>
struct Halves {
  using F = Reals<float>;
  BODY static H add(H a, H b) { return H::round(F::add(a.wide(), b.wide())); }
  BODY static H sub(H a, H b) { return H::round(F::sub(a.wide(), b.wide())); }
  BODY static H mul(H a, H b) { return H::round(F::mul(a.wide(), b.wide())); }
  BODY static H div(H a, H b) { return H::round(F::div(a.wide(), b.wide())); }
  BODY static H min(H a, H b) { return H::round(F::min(a.wide(), b.wide())); }
  BODY static H max(H a, H b) { return H::round(F::max(a.wide(), b.wide())); }
  BODY static H fmin(H a, H b) { return H::round(F::fmin(a.wide(), b.wide())); }
  BODY static H fmax(H a, H b) { return H::round(F::fmax(a.wide(), b.wide())); }
};

template <>
struct Numbers<Float16> : Halves<Float16> {};
template <>
struct Numbers<Bfloat16> : Halves<Bfloat16> {};

template <class T>
struct Complex {
  T real;
  T imaginary;
};

template <class T>
BODY T magnitude(T value) {
  return value < 0 ? -value : value;
}

template <class T>
struct Numbers<Complex<T>> {
  using C = Complex<T>;
  BODY static C add(C a, C b) { return {a.real + b.real, a.imaginary + b.imaginary}; }
  BODY static C sub(C a, C b) { return {a.real - b.real, a.imaginary - b.imaginary}; }
  BODY static C mul(C a, C b) {
    return {a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real};
  }
  // R. L. Smith's Algorithm 116, in the form of NumPy's divide
  BODY static C div(C a, C b) {
    if (b.real == 0 && b.imaginary == 0) {
      T zero = 0;
      return {a.real / zero, a.imaginary / zero};
    }
    if (magnitude(b.real) >= magnitude(b.imaginary)) {
      T ratio = b.imaginary / b.real;
      T scale = 1 / (b.real + b.imaginary * ratio);
      return {(a.real + a.imaginary * ratio) * scale, (a.imaginary - a.real * ratio) * scale};
    }
    T ratio = b.real / b.imaginary;
    T scale = 1 / (b.imaginary + b.real * ratio);
    return {(a.real * ratio + a.imaginary) * scale, (a.imaginary * ratio - a.real) * scale};
  }
};

// Several elements that a thread processes at once.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T at[N];
};

#define STEP(Name, function)                                        \
  struct Name {                                                     \
    template <class T>                                              \
    BODY static T apply(T a, T b) {                                 \
      return Numbers<T>::function(a, b);                            \
    }                                                               \
    template <class T, int N>                                       \
    BODY static Pack<T, N> apply(Pack<T, N> a, Pack<T, N> b) {      \
      for (int i = 0; i < N; i++) {                                 \
        a.at[i] = Numbers<T>::function(a.at[i], b.at[i]);           \
      }                                                             \
      return a;                                                     \
    }                                                               \
  };

STEP(Add, add)
STEP(Sub, sub)
STEP(Mul, mul)
STEP(Div, div)
STEP(Min, min)
STEP(Max, max)
STEP(Fmin, fmin)
STEP(Fmax, fmax)

#undef STEP

}  // namespace sparknd
