/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.tensor.NpyEncoder;
import java.io.Serializable;
import java.util.Arrays;

/** The sizes of a tensor's strings. A class and not a record, since Kryo cannot read records. */
final class TextSizes implements Serializable {
  private static final long serialVersionUID = 1;
  private static final TextSizes NONE = new TextSizes(0, 0, 0);

  /** Chars of an element, as the mean of the block where it is largest. */
  final double most;

  /** Chars of all elements. */
  final long all;

  /** The most code points of an element, as {@link NpyEncoder#width} counts them. */
  final int width;

  private TextSizes(double most, long all, int width) {
    this.most = most;
    this.all = all;
    this.width = width;
  }

  /** Runs a job that reads all strings; none if the tensor is empty. */
  static TextSizes of(TensorBlocks tensor) {
    return tensor.shape().elements() == 0
        ? NONE
        : tensor.rdd().map(TextSizes::of).reduce(TextSizes::and);
  }

  private static TextSizes of(TensorPartition partition) {
    return Arrays.stream(partition.blocks())
        .map(block -> of((String[]) block))
        .reduce(NONE, TextSizes::and);
  }

  private static TextSizes of(String[] block) {
    long chars = Arrays.stream(block).mapToLong(String::length).sum();
    return new TextSizes(
        (double) chars / Math.max(1, block.length),
        chars,
        NpyEncoder.width(block, 0, block.length));
  }

  private TextSizes and(TextSizes other) {
    return new TextSizes(
        Math.max(most, other.most), Math.addExact(all, other.all), Math.max(width, other.width));
  }
}
