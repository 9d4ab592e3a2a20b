/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.embedding.internal.lookup.LookupCall;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/** The call that a case runs on an engine. */
sealed interface CaseCall {
  /** A scatter into {@code data}. */
  record ScatterInto(Tensor data, ScatterCall call) implements CaseCall {}

  /** A scatter into zeros, or into empty strings. */
  record ScatterIntoZeros(DType dtype, Shape shape, ScatterCall call) implements CaseCall {}

  /** A gather from {@code data}. */
  record GatherFrom(Tensor data, GatherCall call) implements CaseCall {}

  /** A lookup of rows of {@code params}. */
  record LookupIn(Tensor params, LookupCall call) implements CaseCall {}

  /** The offsets of index tuples into {@code shape}, without a tensor. */
  record OffsetsInto(Shape shape, Tensor indices, IndexPolicy policy) implements CaseCall {}
}
