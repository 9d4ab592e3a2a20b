/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A call that SparkND refuses. The message names the values at fault, and where it can, the way
 * out. Made by the factory of its area, such as {@link TensorErrors}; where Spark is, as an {@code
 * org.apache.spark.SparkThrowable}.
 */
public class SparkNdException extends RuntimeException {
  private static final long serialVersionUID = 2;

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
  private final String condition;
  private final String sqlState;
  private final String template;
  private final LinkedHashMap<String, String> parameters;

  SparkNdException(
      Kind kind,
      ConditionName condition,
      String template,
      Map<String, String> parameters,
      String message,
      Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.condition = condition.fullName();
    this.sqlState = condition.sqlState();
    this.template = template;
    this.parameters = new LinkedHashMap<>(parameters);
  }

  /** The same error, of another type. */
  protected SparkNdException(SparkNdException error) {
    super(error.getMessage(), error.getCause());
    this.kind = error.kind;
    this.condition = error.condition;
    this.sqlState = error.sqlState;
    this.template = error.template;
    this.parameters = error.parameters;
  }

  public Kind kind() {
    return kind;
  }

  /**
   * The name of the error, such as {@code SPARKND_INDEX_OUT_OF_BOUNDS}; where a condition groups
   * several errors, followed by a dot and which of them it is.
   */
  public String condition() {
    return condition;
  }

  /** The five characters by which SQL knows the class of the error. */
  public String sqlState() {
    return sqlState;
  }

  /** The message, with names between angle brackets in place of the values. */
  public String messageTemplate() {
    return template;
  }

  /** The values in the message, by name. */
  public Map<String, String> parameters() {
    return Collections.unmodifiableMap(parameters);
  }
}
