/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static io.sparknd.udf.Sql.SPARK;
import static io.sparknd.udf.Sql.failure;
import static io.sparknd.udf.Sql.refusal;
import static io.sparknd.udf.Sql.text;
import static io.sparknd.udf.Sql.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tests {@code nd_decode} and {@code nd_encode}. */
class BytesTest {
  /** As NumPy's {@code astype}: by way of float32, they would be ties, which go to even. */
  @ParameterizedTest
  @CsvSource({
    "float16, 1.00048828218D, 013C",
    "float16, 1.00048828218BD, 013C",
    "float16, -1.00048828218D, 01BC",
    "float16, 65519.99D, FF7B",
    "float16, double('-inf'), 00FC",
    "float16, 1e-300D, 0000",
    "float16, 2048, 0068",
    "bfloat16, 1.003906250001D, 813F",
    "bfloat16, 1152921504606846976L, 805D",
    "float32, 16777216L, 0000804B",
    "float32, 0.1D, CDCCCC3D"
  })
  void halfFloatsAreRoundedOnce(String dtype, String value, String bytes) {
    assertThat(text("hex(nd_encode(array(%s), '%s'))".formatted(value, dtype))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bool       | 000107                           | array(false, true, true)
          int8       | 01FF                             | array(1Y, -1Y)
          uint8      | 01FF                             | array(1S, 255S)
          int16      | 0100FFFF                         | array(1S, -1S)
          uint16     | 0100FFFF                         | array(1, 65535)
          int32      | 01000000FEFFFFFF                 | array(1, -2)
          uint32     | 01000000FEFFFFFF                 | array(1L, 4294967294L)
          int64      | 0100000000000000FFFFFFFFFFFFFFFF | array(1L, -1L)
          uint64     | 0100000000000000FFFFFFFFFFFFFFFF | array(CAST(1 AS decimal(20, 0)), 18446744073709551615BD)
          float16    | 003E00FC                         | array(1.5F, float('-inf'))
          bfloat16   | C03F80FF                         | array(1.5F, float('-inf'))
          float32    | 0000C03F00000080                 | array(1.5F, -0.0F)
          float64    | 000000000000F83F                 | array(1.5D)
          complex64  | 0000803F00000040                 | array(named_struct('re', 1F, 'im', 2F))
          complex128 | 000000000000F03F0000000000000040 | array(named_struct('re', 1D, 'im', 2D))
          """)
  void everyDTypeIsEncodedAndDecoded(String dtype, String bytes, String array) {
    assertThat(text("nd_decode(X'%s', '%s')".formatted(bytes, dtype))).isEqualTo(text(array));
    String written = dtype.equals("bool") ? bytes.replace("07", "01") : bytes;
    assertThat(text("hex(nd_encode(%s, '%s'))".formatted(array, dtype))).isEqualTo(written);
    assertThat(
            SPARK.sql("SELECT nd_decode(X'', '" + dtype + "') AS v").schema().apply("v").dataType())
        .isEqualTo(SqlTypes.slice(DType.named(dtype), 1));
  }

  @Test
  void shapesNestArrays() {
    assertThat(value("nd_decode(X'010203040506', 'int8', array(2, 3))"))
        .isEqualTo(List.of(bytes(1, 2, 3), bytes(4, 5, 6)));
    assertThat(value("nd_decode(X'05', 'int8', array())")).isEqualTo((byte) 5);
    assertThat(value("nd_decode(X'', 'float32', array(0, 3))")).isEqualTo(List.of());
    assertThat(
            value(
                "nd_decode(X'010203040506', 'uint8', array(n, 6 div n)) FROM VALUES (2L) AS t(n)"))
        .isEqualTo(
            List.of(
                List.of((short) 1, (short) 2, (short) 3),
                List.of((short) 4, (short) 5, (short) 6)));
    assertThat(text("hex(nd_encode(array(array(1Y, 2Y), array(3Y, 4Y)), 'int8'))"))
        .isEqualTo("01020304");
    assertThat(text("hex(nd_encode(1.5F, 'float32'))")).isEqualTo("0000C03F");
    assertThat(text("hex(nd_encode(array(), 'float32'))")).isEmpty();
    assertThat(text("hex(nd_encode(array(1, 2), 'int64'))"))
        .isEqualTo("01000000000000000200000000000000");
  }

  private static List<Byte> bytes(int a, int b, int c) {
    return List.of((byte) a, (byte) b, (byte) c);
  }

  @Test
  void nullArgumentsGiveNull() {
    assertThat(value("nd_decode(NULL, 'float32')")).isNull();
    assertThat(value("nd_decode(CAST(NULL AS binary), 'float32', array(2))")).isNull();
    assertThat(value("nd_decode(X'0102', 'int8', CAST(NULL AS array<int>))")).isNull();
    assertThat(value("nd_decode(X'0102', 'int8', NULL)")).isEqualTo(List.of((byte) 1, (byte) 2));
    assertThat(value("nd_encode(NULL, 'float32')")).isNull();
    assertThat(value("nd_encode(CAST(NULL AS array<float>), 'float32')")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nd_decode(b, 'float32') FROM VALUES (X'0102030405') AS t(b)           | the value has 5 bytes, which is not a whole number of float32 elements of 4 bytes each
          nd_decode(b, 'float16', array(2, 2)) FROM VALUES (X'0102') AS t(b)    | the value has 2 bytes; float16 elements of shape [2, 2] have 8
          nd_decode(b, 'int64', array(9223372036854775807)) FROM VALUES (X'01') AS t(b) | shape [9223372036854775807] have 73786976294838206456
          nd_decode(b, 'int8', array(n)) FROM VALUES (X'01', -1) AS t(b, n)     | shape [-1] has a negative dimension
          nd_encode(v, 'uint8') FROM VALUES (array(1S, 256S)) AS t(v)           | value 256 is not a uint8
          nd_encode(v, 'uint32') FROM VALUES (array(-1L)) AS t(v)               | value -1 is not a uint32
          nd_encode(v, 'uint64') FROM VALUES (array(CAST(-1 AS decimal(20, 0)))) AS t(v) | holds -1, which is no uint64
          nd_encode(v, 'float32') FROM VALUES (array(16777217)) AS t(v)         | tensor holds 16777217, which float32 cannot represent: cast it explicitly
          nd_encode(v, 'float32') FROM VALUES (array(-1e300D)) AS t(v)          | tensor holds -1.0E300, which float32 cannot represent
          nd_encode(v, 'float64') FROM VALUES (array(9007199254740993L)) AS t(v) | tensor holds 9007199254740993, which float64
          nd_encode(v, 'float64') FROM VALUES (array(9007199254740993BD)) AS t(v) | tensor holds 9007199254740993, which float64
          nd_encode(v, 'float16') FROM VALUES (array(2049S)) AS t(v)            | tensor holds 2049, which float16
          nd_encode(v, 'float16') FROM VALUES (array(65536)) AS t(v)            | tensor holds 65536, which float16
          nd_encode(v, 'bfloat16') FROM VALUES (array(1157425104234217473L)) AS t(v) | tensor holds 1157425104234217473, which bfloat16
          nd_encode(v, 'float16') FROM VALUES (array(65520F)) AS t(v)           | value 65520.0 is not a float16
          nd_encode(v, 'float16') FROM VALUES (array(1e300D)) AS t(v)           | value 1.0E300 is not a float16
          nd_encode(v, 'bfloat16') FROM VALUES (array(-1e300D)) AS t(v)         | value -1.0E300 is not a bfloat16
          nd_encode(v, 'int32') FROM VALUES (array(array(1, 2), array(3))) AS t(v) | the tensor has 1 values in dimension 1; slice [2, 2] needs 2
          nd_encode(v, 'int32') FROM VALUES (array(1, NULL)) AS t(v)            | the tensor has a null inside
          nd_encode(v, 'int32') FROM VALUES (array(NULL, array(1))) AS t(v)     | the tensor has
          """)
  void rowsThatDoNotFitFail(String call, String message) {
    assertThat(failure(call)).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nd_decode('abcd', 'float32')               | value is string; it must be binary
          nd_decode(X'00', 'float31')                | dtype 'float31' is unknown
          nd_decode(X'00', 'string')                 | have no fixed width
          nd_decode(X'00', string(id)) FROM range(1) | dtype
          nd_decode(X'00', 8)                        | dtype is int; it must be a string
          nd_decode(X'00', 'int8', s) FROM VALUES (array(1)) AS t(s) | the length of shape
          nd_decode(X'00', 'int8', 'x')              | shape is string
          nd_encode(array(true), 'float32')          | tensor is array<boolean> and dtype 'float32' holds float values
          nd_encode(array(map(1, 2)), 'float32')     | cast them
          nd_encode(array(named_struct('im', 1F, 're', 2F)), 'complex64') | a complex number is struct<re, im>, with these names in this order
          nd_encode(named_struct('shape', array(1), 'data', array(1F)), 'float32') | tensor is struct<shape:array<int>,data:array<float>> and dtype 'float32' holds float values
          nd_encode(array(named_struct('im', 1, 're', 2)), 'complex128') | a complex number is struct<re, im>, with these names in this order
          """)
  void wrongArgumentsAreRefused(String call, String message) {
    assertThat(refusal(call)).contains(message);
  }

  @ParameterizedTest
  @EnumSource
  void generatedAndInterpretedCodeGiveTheSameResult(Codegen mode) {
    Dataset<Row> rows =
        SPARK.sql(
            "SELECT id, nd_decode(nd_encode(array(array(float(id), 2F), array(3F, 4F)), 'float16'),"
                + " 'float16', array(2, 2)) AS v FROM range(100)");
    mode.run(
        SPARK,
        () ->
            assertThat(rows.where("v = array(array(float(id), 2F), array(3F, 4F))").count())
                .isEqualTo(100));
  }

  /**
   * Tensor tables with layout binary hold the bytes of {@code nd_encode}, which {@code nd_decode}
   * reads.
   */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "STRING")
  void tablesOfLayoutBinaryAreRead(DType dtype, @TempDir Path folder) {
    String catalog = "bytes_" + dtype;
    LocalCatalog.addTo(SPARK, catalog, folder);
    TensorTable table =
        TensorTable.create(
            SPARK, catalog + ".t.v", TensorSpec.of(dtype, Shape.of(4, 2, 1)).withBinaryValues());
    String element = SqlTypes.element(dtype).catalogString();
    String value =
        switch (dtype) {
          case BOOL -> "id > 0";
          case COMPLEX64 -> "named_struct('re', float(id), 'im', 1F)";
          case COMPLEX128 -> "named_struct('re', double(id), 'im', 1D)";
          default -> "CAST(id AS " + element + ")";
        };
    SPARK
        .sql("SELECT id, array(array(" + value + "), array(" + value + ")) AS v FROM range(3)")
        .createOrReplaceTempView("bytes_source");
    SPARK.sql(
        "INSERT INTO "
            + table.name()
            + " SELECT id, nd_encode(v, '"
            + dtype
            + "') FROM bytes_source");
    String decoded = "SELECT i0, nd_decode(value, '" + dtype + "', array(2, 1)) AS v FROM ";
    List<String> wanted =
        SPARK.sql("SELECT id AS i0, v FROM bytes_source ORDER BY 1").toJSON().collectAsList();
    assertThat(SPARK.sql(decoded + table.name() + " ORDER BY i0").toJSON().collectAsList())
        .isEqualTo(wanted);
    assertThat(table.toDataset().toDF("i0", "v").orderBy("i0").toJSON().collectAsList())
        .isEqualTo(wanted);
  }
}
