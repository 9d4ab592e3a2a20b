/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import io.sparknd.parquet.ElementCodec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** What one value of a Parquet column is to a tensor. */
sealed interface ValueKind {

  PrimitiveTypeName physical();

  /** An element, or a part of a complex one, of a fixed width. */
  record Fixed(ElementCodec codec) implements ValueKind {
    @Override
    public PrimitiveTypeName physical() {
      return codec.physical();
    }
  }

  /** A string, in UTF-8. */
  record Text() implements ValueKind {
    @Override
    public PrimitiveTypeName physical() {
      return PrimitiveTypeName.BINARY;
    }
  }

  /** A whole slice of {@code units} units: its bytes, little-endian. */
  record Slice(Storage storage, int units) implements ValueKind {
    @Override
    public PrimitiveTypeName physical() {
      return PrimitiveTypeName.BINARY;
    }

    int bytes() {
      return Math.multiplyExact(units, storage.bytes());
    }
  }

  /** That of the elements of {@code dtype}, or of their parts. */
  static ValueKind of(DType dtype) {
    return dtype == DType.STRING ? new Text() : new Fixed(ElementCodec.of(dtype));
  }
}
