/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.SparkNdException.Kind;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests exchange with Arrow readers and writers that do not know SparkND. */
class ArrowInteropTest {
  private static final ArrowType INT64 = new ArrowType.Int(64, true);

  private final BufferAllocator root = new RootAllocator();

  @AfterEach
  void everyBufferIsClosed() {
    assertThat(root.getAllocatedMemory()).isZero();
    root.close();
  }

  @Test
  void aPlainReaderSeesListsWithTheExtensionsMetadata() throws IOException {
    Field field = fieldOf(DType.FLOAT32, Shape.of(2, 3, 4));
    assertThat(field.getName()).isEqualTo("tensor");
    assertThat(field.getType()).isEqualTo(new ArrowType.FixedSizeList(12));
    assertThat(field.getMetadata())
        .isEqualTo(
            Map.of(
                "ARROW:extension:name", "arrow.fixed_shape_tensor",
                "ARROW:extension:metadata", "{\"shape\":[3,4]}",
                "sparknd.dtype", "float32",
                "sparknd.shape", "[2,3,4]"));
    assertThat(field.getChildren())
        .containsExactly(
            Field.nullable("item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)));
  }

  @Test
  void cellShapeOmitsTheFirstDimensionAndAppendsTwoForComplex() throws IOException {
    assertThat(parameters(DType.INT8, Shape.of(5))).isEqualTo("{\"shape\":[]}");
    assertThat(parameters(DType.INT8, Shape.of())).isEqualTo("{\"shape\":[]}");
    assertThat(parameters(DType.COMPLEX64, Shape.of(5))).isEqualTo("{\"shape\":[2]}");
    assertThat(parameters(DType.COMPLEX64, Shape.of(5, 3))).isEqualTo("{\"shape\":[3,2]}");
    assertThat(parameters(DType.INT8, Shape.of(5, 0))).isEqualTo("{\"shape\":[0]}");
  }

  @Test
  void elementsKeepArrowsOwnTypes() throws IOException {
    assertThat(elementType(DType.BOOL)).isEqualTo(new ArrowType.Bool());
    assertThat(elementType(DType.UINT64)).isEqualTo(new ArrowType.Int(64, false));
    assertThat(elementType(DType.FLOAT16))
        .isEqualTo(new ArrowType.FloatingPoint(FloatingPointPrecision.HALF));
    assertThat(elementType(DType.BFLOAT16)).isEqualTo(new ArrowType.Int(16, false));
    assertThat(elementType(DType.COMPLEX128))
        .isEqualTo(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
    assertThat(elementType(DType.STRING)).isEqualTo(new ArrowType.Utf8());
  }

  private ArrowType elementType(DType dtype) throws IOException {
    return fieldOf(dtype, Shape.of(2)).getChildren().get(0).getType();
  }

  private String parameters(DType dtype, Shape shape) throws IOException {
    return fieldOf(dtype, shape).getMetadata().get("ARROW:extension:metadata");
  }

  private Field fieldOf(DType dtype, Shape shape) throws IOException {
    byte[] stream = Streams.bytes(Tensor.zeros(dtype, shape), root);
    try (var reader = new ArrowStreamReader(new ByteArrayInputStream(stream), root)) {
      return reader.getVectorSchemaRoot().getSchema().getFields().get(0);
    }
  }

  @Test
  void aPlainReaderSeesTheValues() throws IOException {
    byte[] stream = Streams.bytes(Tensor.of(Shape.of(2, 2), "a", "", "ü", "d"), root);
    try (var reader = new ArrowStreamReader(new ByteArrayInputStream(stream), root)) {
      assertThat(reader.loadNextBatch()).isTrue();
      FieldVector vector = reader.getVectorSchemaRoot().getVector("tensor");
      assertThat(vector.getObject(0)).hasToString("[\"a\",\"\"]");
      assertThat(vector.getObject(1)).hasToString("[\"ü\",\"d\"]");
    }
  }

  @Test
  void registeredExtensionTypeIsReadByPlainReadersAndSparkNd() throws IOException {
    Tensor tensor = Tensor.of(Shape.of(2, 1, 2), 1, 2, 3, 4);
    byte[] stream = Streams.bytes(tensor, root);
    FixedShapeTensorType.register();
    try (var reader = new ArrowStreamReader(new ByteArrayInputStream(stream), root)) {
      reader.loadNextBatch();
      FieldVector vector = reader.getVectorSchemaRoot().getVector("tensor");
      assertThat(vector.getField().getType())
          .isInstanceOfSatisfying(
              FixedShapeTensorType.class,
              type -> assertThat(type.shape()).isEqualTo(Shape.of(1, 2)));
      assertThat(vector.getObject(1)).isEqualTo(List.of(3, 4));
      assertThat(Streams.tensor(stream, root)).isEqualTo(tensor);
    } finally {
      ExtensionTypeRegistry.unregister(FixedShapeTensorType.of(Shape.of()));
    }
  }

  @Test
  void cellsWrittenByOthersBecomeRows() {
    // pyarrow's FixedShapeTensorArray.from_numpy_ndarray always writes a permutation
    Field field =
        ForeignStreams.field("image", 4, INT64, "{\"shape\": [2, 2], \"permutation\": [0, 1]}");
    assertThat(Streams.tensor(ForeignStreams.stream(root, counting(3), field), root))
        .isEqualTo(Tensor.of(Shape.of(3, 2, 2), 0L, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  }

  @Test
  void emptyCellsWrittenByOthersBecomeRows() {
    Field field = ForeignStreams.field("image", 0, INT64, "{\"shape\":[2,0]}");
    assertThat(Streams.tensor(ForeignStreams.stream(root, counting(3), field), root))
        .isEqualTo(Tensor.zeros(DType.INT64, Shape.of(3, 2, 0)));
  }

  @Test
  void arrowFilesAreReadAsWell() {
    Field field = ForeignStreams.field("image", 2, INT64, "{\"shape\":[2]}");
    assertThat(Streams.tensor(ForeignStreams.file(root, counting(2), field), root))
        .isEqualTo(Tensor.of(Shape.of(2, 2), 0L, 1, 2, 3));
  }

  @Test
  void permutedCellsAreRefused() {
    checkRefused(
        ForeignStreams.field("image", 6, INT64, "{\"shape\":[2,3],\"permutation\":[1,0]}"),
        "permuted dimensions");
  }

  @Test
  void malformedParametersAreRefused() {
    for (String parameters :
        List.of("", "{", "[]", "{\"shape\":[2,\"3\"]}", "{\"shape\":[-6]}", "{\"shape\":[7]}")) {
      checkRefused(ForeignStreams.field("image", 6, INT64, parameters), "cannot be read");
    }
  }

  @Test
  void anElementTypeWithoutADTypeIsRefused() {
    checkRefused(
        ForeignStreams.field(
            "image", 1, new ArrowType.Duration(TimeUnit.SECOND), "{\"shape\":[1]}"),
        "Duration");
  }

  @Test
  void metadataThatContradictsTheColumnIsRejected() {
    for (Map<String, String> metadata :
        List.of(
            Map.of("sparknd.dtype", "int128"),
            Map.of("sparknd.dtype", "float64"),
            Map.of("sparknd.shape", "[2,-1]"),
            Map.of("sparknd.shape", "[5,3]"),
            Map.of("sparknd.shape", "[5,2]"))) {
      Field plain = ForeignStreams.field("image", 2, INT64, "{\"shape\":[2]}");
      Field field = withMetadata(plain, metadata);
      checkRefused(ForeignStreams.stream(root, counting(4), field), "test.arrows");
    }
  }

  private static Field withMetadata(Field plain, Map<String, String> metadata) {
    Map<String, String> both = new HashMap<>(plain.getMetadata());
    both.putAll(metadata);
    FieldType type = new FieldType(true, plain.getType(), null, both);
    return new Field(plain.getName(), type, plain.getChildren());
  }

  @Test
  void complexCellsWithoutTheTensorsShapeBecomeRows() {
    Consumer<FixedSizeListVector> fill =
        lists -> {
          for (int row = 0; row < 3; row++) {
            lists.startNewValue(row);
          }
          for (int i = 0; i < 12; i++) {
            ((Float4Vector) lists.getDataVector()).setSafe(i, i);
          }
          lists.setValueCount(3);
        };
    float[] parts = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    byte[] stream = ForeignStreams.stream(root, fill, complexField(4, "{\"shape\":[2,2]}"));
    assertThat(Streams.tensor(stream, root))
        .isEqualTo(Tensor.wrap(DType.COMPLEX64, Shape.of(3, 2), parts));
    checkRefused(complexField(6, "{\"shape\":[2,3]}"), "no last dimension of 2");
    checkRefused(complexField(1, "{\"shape\":[]}"), "no last dimension of 2");
  }

  private static Field complexField(int listSize, String parameters) {
    ArrowType part = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    Field plain = ForeignStreams.field("wave", listSize, part, parameters);
    return withMetadata(plain, Map.of("sparknd.dtype", "complex64"));
  }

  @Test
  void streamWithoutExactlyOneTensorColumnIsRejected() {
    checkRefused(
        new Field(
            "plain",
            FieldType.nullable(new ArrowType.FixedSizeList(1)),
            List.of(Field.nullable("item", INT64))),
        "exactly one column");
    Field field = ForeignStreams.field("a", 1, INT64, "{\"shape\":[1]}");
    Field other = ForeignStreams.field("b", 1, INT64, "{\"shape\":[1]}");
    checkRefused(ForeignStreams.stream(root, counting(1), field, other), "exactly one column");
  }

  @Test
  void nullsAreRefused() {
    Field field = ForeignStreams.field("image", 2, INT64, "{\"shape\":[2]}");
    Consumer<FixedSizeListVector> nullRow = lists -> lists.setNull(1);
    Consumer<FixedSizeListVector> nullElement = lists -> elements(lists).setNull(3);
    checkRefused(ForeignStreams.stream(root, counting(2).andThen(nullRow), field), "nulls");
    checkRefused(ForeignStreams.stream(root, counting(2).andThen(nullElement), field), "nulls");
  }

  private void checkRefused(Field field, String message) {
    checkRefused(ForeignStreams.stream(root, lists -> lists.setValueCount(0), field), message);
  }

  private void checkRefused(byte[] stream, String message) {
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> Streams.tensor(stream, root))
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FILE));
  }

  /** Returns an action that fills {@code rows} lists with 0, 1, 2, ... */
  private static Consumer<FixedSizeListVector> counting(int rows) {
    return lists -> {
      for (int i = 0; i < rows; i++) {
        lists.startNewValue(i);
      }
      for (int i = 0; i < rows * lists.getListSize(); i++) {
        elements(lists).setSafe(i, i);
      }
      lists.setValueCount(rows);
    };
  }

  private static BigIntVector elements(FixedSizeListVector lists) {
    return (BigIntVector) lists.getDataVector();
  }
}
