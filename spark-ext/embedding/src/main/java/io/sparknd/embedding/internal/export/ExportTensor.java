/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.export.WeightPrecision;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** A tensor of an export, or the part of it in one file. */
record ExportTensor(TensorPart part, DType dtype, Shape shape) {

  /** Returns the tensors of {@code count} rows. */
  static List<ExportTensor> of(WeightPrecision precision, OrderedRows rows, long count) {
    List<ExportTensor> tensors = new ArrayList<>();
    Shape shape = Shape.of(count, rows.dim());
    tensors.add(new ExportTensor(TensorPart.WEIGHT, dtype(precision), shape));
    if (precision == WeightPrecision.INT8) {
      tensors.add(new ExportTensor(TensorPart.SCALE, DType.FLOAT32, Shape.of(count, 1)));
    }
    if (rows.isKeyed()) {
      tensors.add(new ExportTensor(TensorPart.IDS, DType.INT64, Shape.of(count)));
    }
    return tensors;
  }

  private static DType dtype(WeightPrecision precision) {
    return switch (precision) {
      case FLOAT32 -> DType.FLOAT32;
      case FLOAT16 -> DType.FLOAT16;
      case BFLOAT16 -> DType.BFLOAT16;
      case INT8 -> DType.INT8;
    };
  }

  long bytes() {
    return shape.elements() * dtype.storage().bytes();
  }
}
