/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.oracle.TestSamples;
import io.sparknd.table.internal.file.Written.Layout;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Files;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.parquet.ParquetUtil;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that Spark and Iceberg read SparkND's files and vice versa. */
class SparkFilesTest {
  private static final Map<String, String> SMALL =
      Map.of(
          "write.parquet.page-size-bytes", "3000",
          "write.parquet.row-group-size-bytes", "40000");

  @TempDir Path directory;

  static Stream<Arguments> formats() {
    return Arrays.stream(DType.values())
        .flatMap(
            dtype ->
                Arrays.stream(Layout.values())
                    .filter(layout -> dtype != DType.STRING || layout != Layout.BINARY)
                    .map(layout -> Arguments.of(dtype, layout)));
  }

  static List<Arguments> someFormats() {
    return TestSamples.of(formats().toList(), 16);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("someFormats")
  void sparkAndIcebergReadWhatIsWritten(DType dtype, Layout layout) {
    SparkSession session = session();
    for (int rank : ranks(dtype, layout)) {
      Written rows = random(dtype, layout, 2, rank);
      Path file = directory.resolve("r" + rank + ".parquet");
      RowFileWriter writer = rows.to(Files.localOutput(file.toFile()), SMALL, 100);
      assertThat(writer.length()).isEqualTo(file.toFile().length());
      checkMetrics(writer.metrics(MetricsConfig.getDefault()), Files.localInput(file.toFile()));
      List<List<Object>> expected = SparkRows.expected(rows);
      assertThat(elements(spark().parquet(file.toString()), rows)).isEqualTo(expected);
      Table table = table(rows.format(), "r" + rank);
      append(table, file.toFile(), writer);
      Dataset<Row> read = session.table("files.db.r" + rank);
      assertThat(elements(read, rows)).isEqualTo(expected);
      long some = rows.format().outer().coordinates(rows.offsets()[3])[0];
      assertThat(elements(read.where("i0 = " + some), rows))
          .isEqualTo(expected.stream().filter(row -> row.get(0).equals(some)).toList());
      assertThat(elements(read.where("i0 > " + some + " AND i1 <> 2"), rows))
          .isEqualTo(
              expected.stream()
                  .filter(row -> (Long) row.get(0) > some && (Long) row.get(1) != 2)
                  .toList());
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void fieldIdsEqualThoseOfANewIcebergTable(DType dtype, Layout layout) {
    RowFormat format = Written.format(dtype, layout, Shape.of(4, 5), Shape.of(2, 3));
    Table table = table(format, "t");
    assertThat(table.schema().sameSchema(format.schema())).isTrue();
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({
    "v1,snappy,true,10000",
    "v1,zstd,false,4000",
    "v2,gzip,true,2000",
    "v2,uncompressed,false,5000",
    "v2,lz4_raw,false,500"
  })
  void filesWrittenBySparkAreRead(String version, String codec, boolean dictionary, int page) {
    Random random = new Random(version.hashCode() + page);
    for (Arguments format : TestSamples.of(formats().toList(), 12)) {
      DType dtype = (DType) format.get()[0];
      Layout layout = (Layout) format.get()[1];
      Written rows = random(dtype, layout, 1, random.nextInt(4));
      Path target = directory.resolve(dtype + "-" + layout);
      LocalSpark.session()
          .createDataFrame(SparkRows.rows(rows), nullable(rows.format()))
          .coalesce(1)
          .write()
          .option("parquet.writer.version", version)
          .option("compression", codec)
          .option("parquet.enable.dictionary", dictionary)
          .option("parquet.page.size", page)
          .option("parquet.page.row.count.limit", 1 + random.nextInt(200))
          .parquet(target.toString());
      check(parquetFile(target), rows, random);
    }
  }

  /**
   * Checks that the metrics equal those that Iceberg reads from the file. SparkND may have
   * additional counts.
   */
  private static void checkMetrics(Metrics ours, InputFile file) {
    Metrics theirs = ParquetUtil.fileMetrics(file, MetricsConfig.getDefault());
    assertThat(ours.recordCount()).isEqualTo(theirs.recordCount());
    assertThat(ours.columnSizes()).isEqualTo(theirs.columnSizes());
    assertThat(ours.valueCounts()).containsAllEntriesOf(theirs.valueCounts());
    assertThat(ours.valueCounts().values()).containsOnly(ours.recordCount());
    assertThat(ours.nullValueCounts()).containsAllEntriesOf(theirs.nullValueCounts());
    assertThat(ours.lowerBounds()).isEqualTo(theirs.lowerBounds());
    assertThat(ours.upperBounds()).isEqualTo(theirs.upperBounds());
  }

  private static int[] ranks(DType dtype, Layout layout) {
    int rank = (dtype.ordinal() + layout.ordinal()) % 2;
    return new int[] {rank, rank + 2};
  }

  private static void check(File input, Written rows, Random random) {
    try (RowFileReader file =
        RowFileReader.open(new TableFile("lake.t", Files.localInput(input)), rows.format())) {
      assertThat(file.offsets()).isEqualTo(rows.offsets());
      Tensor expected = rows.values();
      TensorAssert.assertSame(read(file, rows.format(), all(file.rows())), expected);
      int[] some = all(file.rows()).filter(i -> random.nextInt(4) == 0).toArray();
      TensorAssert.assertSame(read(file, rows.format(), Arrays.stream(some)), rows.values(some));
    }
  }

  private static IntStream all(int rows) {
    return IntStream.range(0, rows);
  }

  private static Tensor read(RowFileReader file, RowFormat format, IntStream rows) {
    int[] positions = rows.toArray();
    Object target = format.dtype().storage().allocate(positions.length * format.units());
    if (positions.length == file.rows()) {
      file.values(target, 0);
    } else {
      int[] slots = IntStream.range(0, positions.length).toArray();
      file.values(positions, slots, positions.length, target);
    }
    return Tensor.wrap(format.dtype(), Shape.of(positions.length).concat(format.slice()), target);
  }

  private static Written random(DType dtype, Layout layout, int depth, int rank) {
    Random random = new Random(dtype.ordinal() * 100 + layout.ordinal() * 10 + rank);
    Shape slice = Shape.of(LongStream.of(5, 3, 2).limit(rank).toArray());
    Shape outer = depth == 1 ? Shape.of(900) : Shape.of(90, 10);
    return Written.random(Written.format(dtype, layout, outer, slice), 600, random);
  }

  private static org.apache.spark.sql.DataFrameReader spark() {
    return LocalSpark.session().read();
  }

  private static List<List<Object>> elements(Dataset<Row> rows, Written written) {
    return SparkRows.elements(rows.collectAsList(), written.format());
  }

  private Table table(RowFormat format, String name) {
    return new HadoopCatalog(new Configuration(), directory.toString())
        .createTable(TableIdentifier.of("db", name), format.schema());
  }

  /** Returns a session with the directory as an Iceberg catalog. */
  private SparkSession session() {
    SparkSession session = LocalSpark.session().newSession();
    session.conf().set("spark.sql.catalog.files", "org.apache.iceberg.spark.SparkCatalog");
    session.conf().set("spark.sql.catalog.files.type", "hadoop");
    session.conf().set("spark.sql.catalog.files.warehouse", directory.toString());
    return session;
  }

  private static void append(Table table, File file, RowFileWriter writer) {
    table
        .newAppend()
        .appendFile(
            DataFiles.builder(table.spec())
                .withPath(file.getAbsolutePath())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(writer.length())
                .withMetrics(writer.metrics(MetricsConfig.getDefault()))
                .withSplitOffsets(writer.splitOffsets())
                .build())
        .commit();
  }

  /** Returns Spark's schema for these rows, with all fields nullable. */
  private static StructType nullable(RowFormat format) {
    StructType type = SparkSchemaUtil.convert(format.schema());
    return type.asNullable();
  }

  private static File parquetFile(Path directory) {
    return new ArrayList<>(Arrays.asList(directory.toFile().listFiles()))
        .stream().filter(file -> file.getName().endsWith(".parquet")).findFirst().orElseThrow();
  }
}
