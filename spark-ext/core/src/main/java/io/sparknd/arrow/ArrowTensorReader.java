/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;

/** Copies the cells of all record batches into one array. */
final class ArrowTensorReader {
  private final String source;
  private final VectorSchemaRoot root;
  private final int column;
  private final TensorField field;
  private final Storage storage;
  private final long maxUnits;
  private Object array;
  private int units;
  private long rows;

  private ArrowTensorReader(VectorSchemaRoot root, String source) {
    this.source = source;
    this.root = root;
    List<Field> fields = root.getSchema().getFields();
    this.column = column(fields, source);
    this.field = TensorField.parse(fields.get(column), source);
    this.storage = field.dtype().storage();
    this.maxUnits = field.declared().map(this::units).orElse((long) Storage.MAX_LENGTH);
    this.array = storage.allocate(0);
  }

  static Tensor read(ArrowReader batches, String source) throws IOException {
    ArrowTensorReader reader = new ArrowTensorReader(batches.getVectorSchemaRoot(), source);
    while (batches.loadNextBatch()) {
      reader.addBatch();
    }
    return reader.tensor();
  }

  private static int column(List<Field> fields, String source) {
    int found = -1;
    for (int i = 0; i < fields.size(); i++) {
      if (TensorField.isTensor(fields.get(i))) {
        if (found >= 0) {
          throw ArrowErrors.arrowTensorColumns(source, names(fields));
        }
        found = i;
      }
    }
    if (found < 0) {
      throw ArrowErrors.arrowTensorColumns(source, names(fields));
    }
    return found;
  }

  private static List<String> names(List<Field> fields) {
    return fields.stream().map(Field::toString).toList();
  }

  private long units(Shape shape) {
    int each = field.dtype().units();
    if (shape.elements() > Storage.MAX_LENGTH / each) {
      throw TensorErrors.tooLargeForOneArray(field.dtype(), shape);
    }
    return shape.elements() * each;
  }

  private void addBatch() {
    FieldVector vector = root.getVector(column);
    FieldVector storing =
        vector instanceof ExtensionTypeVector<?> extension
            ? (FieldVector) extension.getUnderlyingVector()
            : vector;
    FixedSizeListVector lists = (FixedSizeListVector) storing;
    FieldVector elements = lists.getDataVector();
    long more = (long) lists.getValueCount() * field.cellUnits();
    if (elements.getValueCount() < more) {
      throw malformed(elements.getValueCount() + " elements where " + more + " belong");
    }
    if (lists.getNullCount() > 0 || elements.getNullCount() > 0) {
      throw ArrowErrors.arrowNulls(source, vector.getName());
    }
    rows += lists.getValueCount();
    grow(more);
    copy(elements, (int) more);
    units += (int) more;
  }

  private static IllegalArgumentException malformed(String message) {
    return new IllegalArgumentException(message);
  }

  /** Makes room for {@code more} units, on demand: a damaged file can declare any shape. */
  private void grow(long more) {
    long needed = units + more;
    if (needed > maxUnits) {
      throw tooMany();
    }
    int length = storage.length(array);
    if (needed > length) {
      Object larger = storage.allocate((int) Math.min(maxUnits, Math.max(needed, 2L * length)));
      System.arraycopy(array, 0, larger, 0, units);
      array = larger;
    }
  }

  private RuntimeException tooMany() {
    return field
        .declared()
        .<RuntimeException>map(
            shape -> ArrowErrors.arrowRowsMismatch(source, shape, rows, field.cell()))
        .orElseGet(() -> TensorErrors.tooLargeForOneArray(field.dtype(), shapeOf()));
  }

  private void copy(FieldVector elements, int more) {
    if (field.dtype() == DType.STRING) {
      copyStrings(elements, more);
    } else if (field.dtype() == DType.BOOL) {
      ArrowBuf bits = sized(elements.getDataBuffer(), BitColumnBuffers.bytes(more));
      BitColumnBuffers.unpack(bits, (byte[]) array, units, more);
    } else {
      ArrowBuf values = sized(elements.getDataBuffer(), (long) more * storage.bytes());
      UnitCopies.fromArrow(storage, values, array, units, more);
    }
  }

  private static ArrowBuf sized(ArrowBuf buffer, long bytes) {
    if (buffer.capacity() < bytes) {
      throw malformed("a buffer of " + buffer.capacity() + " bytes where " + bytes + " belong");
    }
    return buffer;
  }

  private void copyStrings(FieldVector elements, int more) {
    if (more == 0) {
      return;
    }
    ArrowBuf offsets = sized(elements.getOffsetBuffer(), 4L * (more + 1L));
    ArrowBuf text = elements.getDataBuffer();
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    String[] strings = (String[]) array;
    int from = offsets.getInt(0);
    for (int i = 0; i < more; i++) {
      int to = offsets.getInt(4L * (i + 1L));
      if (from < 0 || to < from || to > text.capacity()) {
        throw malformed("a string from byte " + from + " to byte " + to + " of " + text.capacity());
      }
      strings[units + i] = decode(decoder, text, from, to);
      from = to;
    }
  }

  private static String decode(CharsetDecoder decoder, ArrowBuf text, int from, int to) {
    try {
      return from == to ? "" : decoder.decode(text.nioBuffer(from, to - from)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a string that is not UTF-8", e);
    }
  }

  private Tensor tensor() {
    Shape shape = field.declared().orElseGet(this::shapeOf);
    if (units != units(shape)) {
      throw ArrowErrors.arrowRowsMismatch(source, shape, rows, field.cell());
    }
    boolean exact = storage.length(array) == units;
    return Tensor.wrap(field.dtype(), shape, exact ? array : storage.copyOfRange(array, 0, units));
  }

  /** The tensor's shape if the stream has no {@code sparknd.shape} metadata. */
  private Shape shapeOf() {
    return Shape.of(rows).concat(field.row());
  }
}
