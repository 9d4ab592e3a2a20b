/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How an update is combined with its element. Updates to one element apply one after the other in
 * the row-major order of the indices, each as {@code element = element op update}, as in NumPy's
 * {@code ufunc.at}. No reduction starts from an identity, so -0.0 stays -0.0.
 *
 * <p>Integers wrap. float16 and bfloat16 round after every step, unless {@link HalfRounding} says
 * otherwise. For bool, {@code ADD}, {@code MAX} and {@code FMAX} are logical or; {@code MUL},
 * {@code MIN} and {@code FMIN} are logical and. For strings, {@code ADD} concatenates; {@code MIN},
 * {@code MAX}, {@code FMIN} and {@code FMAX} compare code points, which is the order of UTF-8
 * bytes.
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
   * The sum of the element and its updates divided by their count, as in PyTorch's {@code
   * scatter_reduce}; integer division rounds toward negative infinity. float16 and bfloat16 are
   * summed and divided in float32, and rounded once.
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
      case STRING -> this != SUB && this != MUL && this != DIV && this != MEAN;
    };
  }

  /**
   * Returns the reduction that each single update applies. {@code MEAN} adds and divides only at
   * the end; on the bool bytes 0 and 1, {@code ADD} is {@code MAX} and {@code MUL} is {@code MIN}.
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

  /** Lists the reductions that are defined for {@code dtype}, separated by commas. */
  public static String definedFor(DType dtype) {
    return Arrays.stream(values())
        .filter(reduction -> reduction.isDefinedFor(dtype))
        .map(Reduction::toString)
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the reduction of this name, such as {@code add}. The classes of other libraries look up
   * those libraries' names, such as {@link PyTorch#reduction}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static Reduction named(String name) {
    OptionNames<Reduction> names = OptionNames.of("reduction");
    for (Reduction reduction : values()) {
      names = names.and(reduction.toString(), reduction);
    }
    return names.find(name);
  }

  /** Returns the name in lower case, such as {@code add}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
