/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import io.sparknd.tensor.SparkNdException.Kind;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exceptions of all error classes, such as {@link TensorErrors}. Callers pass the
 * {@link ErrorCondition}, the message template and its values in placeholder order: {@code
 * attribute(INVALID_SETTING.sub("BAD_THREADS"), "threads is <count>; ...", count)}. For a new
 * error, {@code ErrorConditionsTest} fails and says how to update {@code error-conditions.json}.
 */
public final class ErrorFactory {
  private ErrorFactory() {}

  public static SparkNdException shape(ConditionName condition, String template, Object... values) {
    return error(Kind.SHAPE, condition, template, values);
  }

  public static SparkNdException dtype(ConditionName condition, String template, Object... values) {
    return error(Kind.DTYPE, condition, template, values);
  }

  public static SparkNdException index(ConditionName condition, String template, Object... values) {
    return error(Kind.INDEX, condition, template, values);
  }

  public static SparkNdException attribute(
      ConditionName condition, String template, Object... values) {
    return error(Kind.ATTRIBUTE, condition, template, values);
  }

  public static SparkNdException file(ConditionName condition, String template, Object... values) {
    return error(Kind.FILE, condition, template, values);
  }

  public static SparkNdException state(ConditionName condition, String template, Object... values) {
    return error(Kind.STATE, condition, template, values);
  }

  public static SparkNdException failedAttribute(
      Throwable cause, ConditionName condition, String template, Object... values) {
    return failed(cause, Kind.ATTRIBUTE, condition, template, values);
  }

  public static SparkNdException failedState(
      @Nullable Throwable cause, ConditionName condition, String template, Object... values) {
    return failed(cause, Kind.STATE, condition, template, values);
  }

  public static SparkNdException failedFile(
      @Nullable Throwable cause, ConditionName condition, String template, Object... values) {
    return failed(cause, Kind.FILE, condition, template, values);
  }

  private static SparkNdException error(
      Kind kind, ConditionName condition, String template, Object... values) {
    return failed(null, kind, condition, template, values);
  }

  private static SparkNdException failed(
      @Nullable Throwable cause,
      Kind kind,
      ConditionName condition,
      String template,
      Object... values) {
    MessageTemplate message = new MessageTemplate(template);
    return HostErrorConverter.convert(
        new SparkNdException(
            kind, condition, template, message.parameters(values), message.filled(values), cause));
  }

  /** Returns the message of {@code cause}, or its class name if it has no message. */
  public static String reason(Throwable cause) {
    if (cause instanceof NoSuchFileException missing) { // its message is the name alone
      return missing.getFile() + " does not exist";
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  public static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** Returns {@code text}, stripped and truncated to 60 characters. */
  public static String brief(String text) {
    return brief(text, 60);
  }

  public static String brief(String text, int most) {
    String shown = text.strip();
    return shown.length() <= most ? shown : shown.substring(0, most - 3) + "...";
  }
}
