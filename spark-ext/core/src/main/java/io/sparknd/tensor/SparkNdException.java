/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exception for every error that SparkND reports. The message names the invalid values and,
 * where possible, the remedy. Exceptions are created by error factories, such as {@link
 * TensorErrors}. On Spark, they also implement {@code org.apache.spark.SparkThrowable}.
 *
 * <p>The superclass is one that PySpark knows, whatever the kind of the error: PySpark passes other
 * exceptions on as {@code Py4JJavaError}.
 */
public class SparkNdException extends IllegalArgumentException {
  private static final long serialVersionUID = 2;

  /** The category of an error. */
  public enum Kind {
    /** Incompatible or invalid shapes. */
    SHAPE,
    /** An invalid index, or a duplicate where duplicates are errors. */
    INDEX,
    /** A dtype that the operation does not support, or a value that the dtype cannot hold. */
    DTYPE,
    /** An option that is unknown, invalid or not applicable. */
    ATTRIBUTE,
    /** A file that is missing, malformed, inaccessible or already exists. */
    FILE,
    /** Something that the machine, the JVM or the current state does not allow. */
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
      @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.condition = condition.fullName();
    this.sqlState = condition.sqlState();
    this.template = template;
    this.parameters = new LinkedHashMap<>(parameters);
  }

  /** Copies {@code error}, for a subclass of another type. */
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
   * The name of the error, such as {@code SPARKND_INDEX_OUT_OF_BOUNDS}. If the condition groups
   * several errors, a dot and the subcondition follow.
   */
  public String condition() {
    return condition;
  }

  /** The five-character SQLSTATE of the error. */
  public String sqlState() {
    return sqlState;
  }

  /** The message with placeholders in angle brackets instead of the values. */
  public String messageTemplate() {
    return template;
  }

  /** The values in the message, by placeholder name. */
  public Map<String, String> parameters() {
    return Collections.unmodifiableMap(parameters);
  }

  /** Returns class, condition and message; stack traces begin with it. */
  @Override
  public String toString() {
    return getClass().getName() + ": [" + condition + "] " + getMessage();
  }
}
