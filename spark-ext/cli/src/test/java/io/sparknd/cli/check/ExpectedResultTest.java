/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.IndexPolicy;
import io.sparknd.op.OperatorErrors;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests whether an error is the one that a case expects. */
class ExpectedResultTest {
  private static final CaseOutcome REFUSED =
      new CaseOutcome.Raised(
          OperatorErrors.badIndex("indices[1, 2]", "[8]", "shape [8, 3]", IndexPolicy.STRICT));

  private static ExpectedOutcome error(String... mustName) {
    return new ExpectedOutcome.ExpectedError(List.of(mustName));
  }

  @Test
  void spacesAndBracketTypesAreIgnored() {
    assertThat(error("indices[1,2]", "(8)", "[8,3]").difference(REFUSED)).isEmpty();
  }

  @Test
  void everyStringMustOccurInTheMessage() {
    assertThat(error("[8,3]", "[9]").difference(REFUSED))
        .hasValueSatisfying(text -> assertThat(text).contains("lacks '[9]'", "indices[1, 2]"));
  }

  @Test
  void internalErrorDoesNotCountAsTheExpectedError() {
    CaseOutcome bug = new CaseOutcome.Raised(new ArrayIndexOutOfBoundsException("indices[1, 2] 8"));

    assertThat(error("8").difference(bug))
        .hasValueSatisfying(text -> assertThat(text).contains("ArrayIndexOutOfBounds"));
  }

  @Test
  void resultInsteadOfAnErrorFails() {
    CaseOutcome result = new CaseOutcome.Result(Tensor.of(Shape.of(1), 7));

    assertThat(error().difference(result))
        .hasValueSatisfying(text -> assertThat(text).contains("expected an error", "[7]"));
  }
}
