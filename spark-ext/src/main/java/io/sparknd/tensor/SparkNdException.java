/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/**
 * A call that SparkND refuses. The message names the values at fault, and where it can, the way
 * out. Made only by {@link NdErrors}.
 */
public final class SparkNdException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What was wrong with the call. */
  public enum Kind {
    /** Shapes that do not go together. */
    SHAPE,
    /** An index that names no slice, or one that must not be named again. */
    INDEX,
    /** A dtype that the operation does not have. */
    DTYPE,
    /** An option that is unknown or does not apply. */
    ATTRIBUTE,
    /** A file that is missing, malformed or in the way. */
    FILE,
    /** Something that this machine or JVM cannot do. */
    STATE
  }

  private final Kind kind;

  SparkNdException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
