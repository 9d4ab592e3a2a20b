/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The oracle's result of a call: a tensor or an error.
 *
 * @param tensor null if the call is rejected
 * @param refusal how the message begins; null if the call is not rejected
 */
public record CallOutcome(Tensor tensor, String refusal) {

  /** Runs the call in the oracle. */
  public static CallOutcome of(RandomCalls.ScatterCase scatter) {
    return of(() -> NaiveEngine.scatter(scatter.data(), scatter.call()));
  }

  /** Runs the call in the oracle. */
  public static CallOutcome of(RandomCalls.GatherCase gather) {
    return of(() -> NaiveEngine.gather(gather.data(), gather.call()));
  }

  private static CallOutcome of(Supplier<Tensor> call) {
    try {
      return new CallOutcome(call.get(), null);
    } catch (Refusal refusal) {
      return new CallOutcome(null, refusal.getMessage());
    }
  }

  public boolean isRejected() {
    return refusal != null;
  }

  /** Fails unless {@code engine} gives the same tensor, or rejects the same position. */
  public void assertGivenBy(Supplier<Tensor> engine) {
    if (!isRejected()) {
      TensorAssert.assertSame(engine.get(), tensor);
      return;
    }
    assertThatThrownBy(engine::get)
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.kind()).isEqualTo(SparkNdException.Kind.INDEX))
        .hasMessageMatching(pattern());
  }

  private String pattern() {
    return refusal.contains(" repeats ")
        ? "(?s)" + Pattern.quote(refusal.replace(" repeats ", " names the same slice as ")) + ";.*"
        : "(?s)" + Pattern.quote(refusal) + " is (out of bounds for|negative:) .*";
  }
}
