/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.GatherCall;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * The oracle's result of a call: a tensor or an error.
 *
 * @param tensor null if the call is rejected
 * @param refusal how the message begins; null if the call is not rejected
 * @param badTuples all index tuples that are rejected, in row-major order; none if duplicates are
 */
public record CallOutcome(Tensor tensor, String refusal, List<String> badTuples) {

  /** Runs the call in the oracle. */
  public static CallOutcome of(RandomCalls.ScatterCase scatter) {
    ScatterCall call = scatter.call();
    return of(
        () -> NaiveEngine.scatter(scatter.data(), call),
        new NaiveSlots(scatter.data().shape(), call.where(), call.indices(), call.how().indices()));
  }

  /** Runs the call in the oracle. */
  public static CallOutcome of(RandomCalls.GatherCase gather) {
    GatherCall call = gather.call();
    return of(
        () -> NaiveEngine.gather(gather.data(), call),
        new NaiveSlots(gather.data().shape(), call.where(), call.indices(), call.how().indices()));
  }

  private static CallOutcome of(Supplier<Tensor> call, NaiveSlots slots) {
    try {
      return new CallOutcome(call.get(), null, List.of());
    } catch (Refusal refusal) {
      return new CallOutcome(null, refusal.getMessage(), badTuples(slots));
    }
  }

  private static List<String> badTuples(NaiveSlots slots) {
    List<String> bad = new ArrayList<>();
    for (long[] slot : slots.coordinates()) {
      try {
        slots.target(slot);
      } catch (Refusal refusal) {
        String position = slots.position(slot) + " = ";
        bad.add(refusal.getMessage().substring(position.length()));
      }
    }
    return bad;
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
    assertRejected(engine::get, pattern());
  }

  /**
   * Fails unless {@code engine} rejects one of the tuples that the oracle rejects, or duplicates.
   * Rows have an order of their own, so another tuple may be the first.
   */
  public void assertRejectedBy(ThrowingCallable engine) {
    String tuples = badTuples.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    assertRejected(
        engine,
        badTuples.isEmpty()
            ? "(?s).* (names the same slice as |occurs more than once).*"
            : "(?s).* = (" + tuples + ") is (out of bounds|negative) for .*");
  }

  private static void assertRejected(ThrowingCallable engine, String pattern) {
    assertThatThrownBy(engine)
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.kind()).isEqualTo(SparkNdException.Kind.INDEX))
        .hasMessageMatching(pattern);
  }

  private String pattern() {
    return refusal.contains(" repeats ")
        ? "(?s)" + Pattern.quote(refusal.replace(" repeats ", " names the same slice as ")) + ";.*"
        : "(?s)" + Pattern.quote(refusal) + " is (out of bounds|negative) for .*";
  }
}
