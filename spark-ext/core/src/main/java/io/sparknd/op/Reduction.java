/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How an update joins the element that it lands on. Updates to one element apply one after the
 * other in the row-major order of the indices, each as {@code element = element op update}, as
 * NumPy's {@code ufunc.at} does; no reduction starts from an identity, so -0.0 stays -0.0.
 *
 * <p>Integers wrap. float16 and bfloat16 round after every step. For bool, {@code ADD}, {@code MAX}
 * and {@code FMAX} are or, {@code MUL}, {@code MIN} and {@code FMIN} are and. For strings, {@code
 * ADD} concatenates.
 */
public enum Reduction {
  /** The update replaces the element, so the last one wins. */
  NONE,
  ADD,
  SUB,
  MUL,
  /** Floating point and complex only. */
  DIV,
  /** NaN if either is NaN, as NumPy's {@code minimum}. */
  MIN,
  /** NaN if either is NaN, as NumPy's {@code maximum}. */
  MAX,
  /** The number if only one is NaN, as NumPy's {@code fmin}. */
  FMIN,
  /** The number if only one is NaN, as NumPy's {@code fmax}. */
  FMAX,
  /**
   * The sum of the element and its updates over their count, as PyTorch's {@code scatter_reduce};
   * integers divide toward negative infinity.
   */
  MEAN;

  /** Whether this reduction is defined for {@code dtype}. */
  public boolean isDefinedFor(DType dtype) {
    return switch (dtype.kind()) {
      case BOOL -> this != SUB && this != DIV && this != MEAN;
      case SIGNED, UNSIGNED -> this != DIV;
      case FLOAT -> true;
      case COMPLEX ->
          this == NONE || this == ADD || this == SUB || this == MUL || this == DIV || this == MEAN;
      case STRING -> this == NONE || this == ADD;
    };
  }

  /**
   * What each update does to the element that it lands on: a mean adds, and divides only at the
   * end; or and and on the bytes 0 and 1 of bool are max and min.
   *
   * @throws io.sparknd.tensor.SparkNdException if this reduction is not defined for {@code dtype}
   */
  public Reduction step(DType dtype) {
    if (!isDefinedFor(dtype)) {
      throw OperatorErrors.reductionNotDefined(this, dtype, definedFor(dtype));
    }
    boolean bool = dtype == DType.BOOL;
    return switch (this) {
      case MEAN -> ADD;
      case ADD -> bool ? MAX : this;
      case MUL -> bool ? MIN : this;
      default -> this;
    };
  }

  /** All reductions that are defined for {@code dtype}, with commas between. */
  public static String definedFor(DType dtype) {
    return Arrays.stream(values())
        .filter(reduction -> reduction.isDefinedFor(dtype))
        .map(Reduction::toString)
        .collect(Collectors.joining(", "));
  }

  /**
   * The reduction of this name, such as {@code add}. The words of other libraries are looked up by
   * their classes, such as {@link PyTorch#reduction}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static Reduction named(String name) {
    OptionNames<Reduction> words = OptionNames.of("reduction");
    for (Reduction reduction : values()) {
      words = words.and(reduction.toString(), reduction);
    }
    return words.find(name);
  }

  /** Its name in lower case, such as {@code add}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
