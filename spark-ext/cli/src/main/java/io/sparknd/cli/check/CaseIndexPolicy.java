/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparknd.op.BadIndices;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Jax;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.TensorFlow;
import io.sparknd.tensor.DType;
import java.util.Optional;

/**
 * The index policy of a case: {@code negative} and {@code bad_indices}. The peer's own attribute,
 * {@code policy} or {@code mode}, takes precedence over {@code bad_indices}.
 */
final class CaseIndexPolicy {
  private final CaseAttributes attributes;
  private final DType dtype;

  /**
   * @param dtype of the tensor, and therefore of {@code fill_value}
   */
  CaseIndexPolicy(CaseAttributes attributes, DType dtype) {
    this.attributes = attributes;
    this.dtype = dtype;
  }

  /** Returns {@code peer} with the settings of the case applied. */
  IndexPolicy over(IndexPolicy peer) {
    return new IndexPolicy(bad().orElse(peer.bad()), negative().orElse(peer.negative()));
  }

  /** Returns TensorFlow's policy; if it ignores bad tuples, it ignores negative ones too. */
  IndexPolicy tensorFlow() {
    BadIndices bad =
        attributes
            .string("policy")
            .map(TensorFlow::badIndicesPolicy)
            .orElseGet(() -> bad().orElse(BadIndices.ERROR));
    return withoutError(bad, negative().orElse(NegativeIndices.ERROR));
  }

  private static IndexPolicy withoutError(BadIndices bad, NegativeIndices negative) {
    return new IndexPolicy(BadIndices.ERROR, negative).withBad(bad);
  }

  /**
   * Returns the JAX mode that the case names; {@code bad_indices} of {@code fill} implies {@code
   * FILL_OR_DROP}.
   */
  Optional<Jax.Mode> mode() {
    Optional<Jax.Mode> named = attributes.string("mode").map(Jax.Mode::named);
    boolean fills = named.isEmpty() && wordOf("bad_indices").equals("fill");
    return fills ? Optional.of(Jax.Mode.FILL_OR_DROP) : named;
  }

  ScatterCall jax(ScatterCall call) {
    IndexPolicy peer = call.how().indices();
    // a scatter reads nothing, so filling means dropping
    BadIndices bad =
        mode().isPresent()
            ? peer.bad()
            : bad()
                .map(own -> own instanceof BadIndices.Fill ? BadIndices.IGNORE : own)
                .orElse(peer.bad());
    return scatter(call, new IndexPolicy(bad, negative().orElse(peer.negative())));
  }

  GatherCall jax(GatherCall call) {
    IndexPolicy peer = call.how().indices();
    BadIndices bad = mode().isPresent() ? peer.bad() : bad().orElse(peer.bad());
    return gather(call, new IndexPolicy(bad, negative().orElse(peer.negative())));
  }

  /**
   * Returns the call with a segment sum's policy; if it drops bad ids, it drops negative ones too.
   */
  ScatterCall jaxSegments(ScatterCall call) {
    BadIndices bad =
        mode()
            .map(
                mode ->
                    switch (mode) {
                      case FILL_OR_DROP, PROMISE_IN_BOUNDS -> BadIndices.IGNORE;
                      case CLIP -> BadIndices.CLIP;
                    })
            .orElseGet(() -> bad().orElse(BadIndices.IGNORE));
    return scatter(call, withoutError(bad, negative().orElse(NegativeIndices.OUT_OF_BOUNDS)));
  }

  static ScatterCall scatter(ScatterCall call, IndexPolicy policy) {
    return new ScatterCall(
        call.how().withIndices(policy), call.where(), call.indices(), call.updates());
  }

  static GatherCall gather(GatherCall call, IndexPolicy policy) {
    return new GatherCall(
        call.how().withBadIndices(policy.bad()).withNegativeIndices(policy.negative()),
        call.where(),
        call.indices());
  }

  /** Returns the value of a gather for indices out of bounds. */
  Optional<Object> fillValue() {
    Optional<JsonNode> value = attributes.node("fill_value");
    return value.map(node -> JsonElements.value(dtype, node));
  }

  private Optional<BadIndices> bad() {
    if (wordOf("bad_indices").equals("fill")) {
      Object value =
          fillValue()
              .orElseThrow(
                  () ->
                      CaseException.malformed("bad_indices is 'fill', but fill_value is missing"));
      return Optional.of(BadIndices.fill(value));
    }
    return attributes.string("bad_indices").map(BadIndices::named);
  }

  private Optional<NegativeIndices> negative() {
    return attributes.string("negative").map(NegativeIndices::named);
  }

  private String wordOf(String key) {
    return attributes.string(key).orElse("");
  }
}
