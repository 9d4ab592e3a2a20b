// SPDX-License-Identifier: Apache-2.0
// float16 and bfloat16 as bits. Widening is exact; rounding is to nearest, ties to even.
#pragma once

#include "launch.h"

namespace sparknd {

BODY float floatOf(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(bits);
#else
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

BODY uint32_t bitsOf(float value) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(value);
#else
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}

struct Float16 {
  uint16_t bits;

  BODY float wide() const {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t rest = bits & 0x7fff;
    if (rest >= 0x7c00) {  // infinity and NaN
      return floatOf(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    }
    // one exact product rebiases the exponent, also of subnormal numbers
    return floatOf(sign | bitsOf(floatOf(rest << 13) * floatOf(0x77800000)));
  }

  BODY static Float16 round(float value) {
    uint32_t all = bitsOf(value);
    uint32_t sign = all >> 16 & 0x8000;
    uint32_t rest = all & 0x7fffffff;
    if (rest > 0x7f800000) {
      return {(uint16_t)(sign | 0x7e00)};
    }
    if (rest >= 0x477ff000) {  // at least 65520
      return {(uint16_t)(sign | 0x7c00)};
    }
    if (rest < 0x38800000) {  // subnormal: float32 addition rounds at 2^-24
      uint32_t rounded = bitsOf(floatOf(rest) + 0.5f) - bitsOf(0.5f);
      return {(uint16_t)(sign | rounded)};
    }
    uint32_t odd = rest >> 13 & 1;
    return {(uint16_t)(sign | (rest - 0x38000000 + 0xfff + odd) >> 13)};
  }
};

struct Bfloat16 {
  uint16_t bits;

  BODY float wide() const { return floatOf((uint32_t)bits << 16); }

  BODY static Bfloat16 round(float value) {
    uint32_t all = bitsOf(value);
    if ((all & 0x7fffffff) > 0x7f800000) {
      return {(uint16_t)(all >> 16 | 0x40)};
    }
    return {(uint16_t)((all + 0x7fff + (all >> 16 & 1)) >> 16)};
  }
};

}  // namespace sparknd
