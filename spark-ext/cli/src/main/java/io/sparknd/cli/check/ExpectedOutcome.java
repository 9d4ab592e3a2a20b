/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** The expected outcome of a case's call. */
sealed interface ExpectedOutcome {
  /**
   * Describes in one or more lines how {@code outcome} differs from the expected one; empty if it
   * does not.
   */
  Optional<String> difference(CaseOutcome outcome);

  static ExpectedOutcome of(OperatorCase source) {
    boolean error = source.attributes().flag("expect_error").orElse(false);
    return error
        ? new ExpectedError(source.attributes().mustName())
        : new ExpectedTensor(
            ResultComparison.of(source.attributes()),
            source.expected(),
            source.attributes().list("alternatives"));
  }

  /**
   * The call must fail with a SparkND error.
   *
   * @param mustName strings that the message must contain, ignoring white space and brackets
   */
  record ExpectedError(List<String> mustName) implements ExpectedOutcome {
    @Override
    public Optional<String> difference(CaseOutcome outcome) {
      if (outcome instanceof CaseOutcome.Result result) {
        return Optional.of(
            "expected an error that names "
                + mustName
                + "\nactual   "
                + ResultComparison.shortened(result.tensor().toString()));
      }
      Throwable error = ((CaseOutcome.Raised) outcome).error();
      if (!(error instanceof SparkNdException)) {
        return Optional.of(
            "expected an error that names " + mustName + "\nactual   " + shown(error));
      }
      String message = bare(String.valueOf(error.getMessage()));
      return mustName.stream()
          .filter(part -> !message.contains(bare(part)))
          .findFirst()
          .map(part -> "the error message lacks '" + part + "'\nactual   " + shown(error));
    }

    private static String shown(Throwable error) {
      return ResultComparison.shown(error);
    }

    private static String bare(String text) {
      return text.replaceAll("[\\s\\[\\](){}]", "");
    }
  }

  /**
   * The call must return the expected tensor or one of its alternatives.
   *
   * @param alternatives to {@code expected}, as flat lists
   */
  record ExpectedTensor(ResultComparison comparison, Tensor expected, List<JsonNode> alternatives)
      implements ExpectedOutcome {
    @Override
    public Optional<String> difference(CaseOutcome outcome) {
      if (outcome instanceof CaseOutcome.Raised raised) {
        return Optional.of(
            "expected "
                + ResultComparison.shortened(expected.toString())
                + "\nactual   the error "
                + ResultComparison.shown(raised.error()));
      }
      Tensor actual = ((CaseOutcome.Result) outcome).tensor();
      Optional<String> difference = comparison.difference(expected, actual);
      return difference.isPresent()
              && alternatives.stream().anyMatch(other -> allows(other, actual))
          ? Optional.empty()
          : difference;
    }

    private boolean allows(JsonNode alternative, Tensor actual) {
      Tensor other = JsonElements.tensor(expected.dtype(), expected.shape(), alternative);
      return comparison.difference(other, actual).isEmpty();
    }
  }
}
