/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A tensor computed by two engines.
 *
 * @param name of its contents
 * @param made the operation that computed it
 * @param cluster the tensor on the cluster
 * @param collected the elements of {@code cluster}
 * @param local the result of the local kernel
 */
record CheckedTensor(
    String name, String made, DistributedTensor cluster, Tensor collected, Tensor local) {

  /** Returns the first element in which the engines differ; empty if they agree to the bit. */
  Optional<String> difference() {
    if (collected.equals(local)) {
      return Optional.empty();
    }
    return IntStream.range(0, local.elements())
        .filter(i -> !collected.element(i).equals(local.element(i)))
        .mapToObj(this::difference)
        .findFirst()
        .or(() -> Optional.of(name + ": " + collected + " on the cluster, " + local + " locally"));
  }

  private String difference(int i) {
    return "%s%s is %s on the cluster and %s from the local kernel"
        .formatted(
            name,
            Arrays.toString(local.shape().coordinates(i)),
            collected.element(i),
            local.element(i));
  }
}
