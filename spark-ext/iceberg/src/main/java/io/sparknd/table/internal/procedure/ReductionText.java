/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses reductions of variables: {@code add}, {@code last(seen)}, {@code last_n(10)}, {@code
 * last_n(10, seen)}; in windows {@code add(seen)}.
 */
final class ReductionText {
  private static final Pattern CALL =
      Pattern.compile("([^()\\s]+)\\s*(?:\\((.*)\\))?", Pattern.DOTALL);
  private static final Pattern SIZED = Pattern.compile("(\\d{1,9})\\s*(?:,(.*))?", Pattern.DOTALL);

  private static final Pattern TIMED =
      Pattern.compile("(?:(.*),)?\\s*(`(?:[^`]|``)+`|[^,`]+?)", Pattern.DOTALL);

  private static final String TIME = "TIME";

  private ReductionText() {}

  /**
   * Parses a reduction in windows, whose last argument is the variable with the time of updates.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #parse}
   */
  static VariableReduction parse(String text, TimeWindows windows) {
    Matcher call = CALL.matcher(text.strip());
    if (!call.matches()) {
      throw FeatureErrors.unknownReduction(text);
    }
    String name = call.group(1);
    boolean isSized = name.equals("last_n");
    Matcher timed = TIMED.matcher(call.group(2) == null ? "" : call.group(2).strip());
    if (!timed.matches() || isSized && timed.group(1) == null) {
      return withoutTime(name, windows);
    }
    String time = column(timed.group(2));
    boolean isOrdered = name.equals("last") || name.equals("first");
    String rest = timed.group(1) == null ? "" : "(" + timed.group(1) + ")";
    return parse(isOrdered ? text : name + rest).over(time, windows);
  }

  /**
   * Throws what is wrong with a reduction without a time: windows lack it, or it lacks the time.
   */
  private static VariableReduction withoutTime(String name, TimeWindows windows) {
    VariableReduction timed =
        VariableReduction.of(name, Optional.of(TIME), Optional.of(1)).over(TIME, windows);
    return new VariableReduction(
        name, Optional.empty(), timed.size(), timed.className(), timed.windows());
  }

  /**
   * Parses a reduction.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such reduction, or it takes other
   *     arguments
   */
  static VariableReduction parse(String text) {
    Matcher call = CALL.matcher(text.strip());
    if (!call.matches()) {
      throw FeatureErrors.unknownReduction(text);
    }
    String name = call.group(1);
    Optional<String> argument = Optional.ofNullable(call.group(2)).map(String::strip);
    if (argument.isEmpty()) {
      return VariableReduction.of(name, Optional.empty(), Optional.empty());
    }
    if (name.equals("last") || name.equals("first")) {
      return VariableReduction.of(name, argument.map(ReductionText::column), Optional.empty());
    }
    Matcher sized = SIZED.matcher(argument.get());
    if (!name.equals("last_n") || !sized.matches()) {
      throw FeatureErrors.unknownReduction(text);
    }
    return VariableReduction.of(
        name,
        Optional.ofNullable(sized.group(2)).map(String::strip).map(ReductionText::column),
        Optional.of(Integer.valueOf(sized.group(1))));
  }

  /** Returns a name, which may be in backticks. */
  private static String column(String text) {
    if (!text.startsWith("`")) {
      return text;
    }
    List<String> parts = SqlNames.parts(text);
    return parts.size() == 1 ? parts.get(0) : text;
  }
}
