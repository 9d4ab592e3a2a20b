/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.ElementCodec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** The meaning of one value of a Parquet column. */
sealed interface ValueKind {

  PrimitiveTypeName physical();

  /** Returns the kind of values in a file whose column may have a type that was promoted since. */
  default ValueKind in(PrimitiveTypeName stored) {
    return this;
  }

  /** A fixed-width element, or a part of a complex element. */
  record Fixed(ElementCodec codec) implements ValueKind {
    @Override
    public PrimitiveTypeName physical() {
      return codec.physical();
    }

    @Override
    public ValueKind in(PrimitiveTypeName stored) {
      return new Fixed(ElementCodec.reading(codec, stored));
    }
  }

  /** A string, in UTF-8. */
  record Strings() implements ValueKind {
    @Override
    public PrimitiveTypeName physical() {
      return PrimitiveTypeName.BINARY;
    }
  }

  /** A whole slice of {@code units} units as little-endian bytes. */
  record Slice(Storage storage, int units) implements ValueKind {
    @Override
    public PrimitiveTypeName physical() {
      return PrimitiveTypeName.BINARY;
    }

    int bytes() {
      return Math.multiplyExact(units, storage.bytes());
    }
  }

  /** Returns the kind of elements of {@code dtype}, or of their parts. */
  static ValueKind of(DType dtype) {
    return dtype == DType.STRING ? new Strings() : new Fixed(ElementCodec.of(dtype));
  }
}
