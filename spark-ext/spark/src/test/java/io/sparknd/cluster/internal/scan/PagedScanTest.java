/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceColumns;
import io.sparknd.cluster.internal.columnar.SliceVector;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.SerializableConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.reflect.ClassTag$;

/** Tests page-by-page reads of files against Spark's own reader. */
class PagedScanTest {
  private static final int ROWS = 4096;
  private static final Map<DType, String> SQL =
      Map.of(
          DType.INT32,
          "int",
          DType.INT64,
          "bigint",
          DType.FLOAT32,
          "float",
          DType.FLOAT64,
          "double");

  @TempDir Path folder;

  /** How files are written, and how one of their rows is odd. */
  private record Files(
      DType dtype, Shape slice, int rows, int files, Map<String, String> options, String odd) {

    static Files random(long seed) {
      Random random = new Random(seed);
      List<DType> dtypes = SQL.keySet().stream().sorted().toList();
      Shape slice =
          random.nextBoolean()
              ? Shape.of(1 + random.nextInt(20))
              : Shape.of(1 + random.nextInt(5), 1 + random.nextInt(5));
      Map<String, String> options =
          Map.of(
              "compression",
              List.of("none", "snappy", "zstd", "gzip").get(random.nextInt(4)),
              "parquet.page.size",
              "" + (64 << random.nextInt(8)),
              "parquet.block.size",
              "" + (4096 << random.nextInt(8)),
              "parquet.page.size.row.check.min",
              "3",
              "parquet.page.size.row.check.max",
              "7",
              "parquet.writer.version",
              random.nextBoolean() ? "v1" : "v2",
              "parquet.enable.dictionary",
              "" + (random.nextInt(4) == 0));
      List<String> odds =
          List.of("", "", "i = null", "v = null", "v[0] = null", "one element more", "one less");
      int rows = random.nextInt(3) == 0 ? random.nextInt(20) : 4000 + random.nextInt(6000);
      return new Files(
          dtypes.get(random.nextInt(4)),
          slice,
          rows,
          1 + random.nextInt(3),
          options,
          odds.get(random.nextInt(odds.size())));
    }

    /** Returns the rows. One of them is odd, unless {@code odd} is empty. */
    Dataset<Row> made(Random random) {
      String element = "cast(hash(id, j) as " + SQL.get(dtype) + ")";
      String inner = list(slice.dim(slice.rank() - 1), element, "j");
      String value = slice.rank() == 1 ? inner : list(slice.dim(0), inner, "k");
      long row = rows == 0 ? -1 : random.nextInt(rows);
      return LocalSpark.session()
          .range(0, rows, 1, files)
          .selectExpr(
              pick("i = null", row, "null", "id") + " AS i",
              "case when id = " + row + " then " + odd(value) + " else " + value + " end AS v");
    }

    private String pick(String which, long row, String then, String otherwise) {
      return odd.equals(which)
          ? "if(id = " + row + ", " + then + ", " + otherwise + ")"
          : otherwise;
    }

    private String odd(String value) {
      return switch (odd) {
        case "v = null" -> "null";
        case "v[0] = null" -> "transform(" + value + ", (x, n) -> if(n = 0, null, x))";
        case "one element more" -> "concat(" + value + ", slice(" + value + ", 1, 1))";
        case "one less" -> "slice(" + value + ", 2, size(" + value + ") - 1)";
        default -> value;
      };
    }

    private static String list(long dim, String element, String name) {
      return "transform(sequence(1, " + dim + "), " + name + " -> " + element + ")";
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 16);
  }

  static LongStream moreSeeds() {
    return LongStream.range(16, 40);
  }

  @ParameterizedTest
  @MethodSource("moreSeeds")
  @Tag("slow")
  void manyFilesReadTheSameRowsAsSpark(long seed) {
    readsTheSameRowsAsSpark(seed);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("seeds")
  void readsTheSameRowsAsSpark(long seed) {
    Files files = Files.random(seed);
    Dataset<Row> table = written(files.made(new Random(seed)), files.options());

    List<Row> read = read(table, files.dtype(), files.slice()).orElseThrow();
    assertThat(read).as("%s", files).isEqualTo(table.collectAsList());
  }

  @Test
  void splitsOfAFileAreReadOnceEach() {
    Dataset<Row> rows =
        LocalSpark.session().range(0, 20_000, 1, 1).selectExpr("id AS i", "array(id, -id) AS v");
    Dataset<Row> table = written(rows, Map.of("parquet.block.size", "4096"));
    LocalSpark.session().conf().set("spark.sql.files.maxPartitionBytes", "30000");
    try {
      Dataset<Row> split = LocalSpark.session().read().parquet(path());
      assertThat(scan(split).inputRDD().getNumPartitions()).isGreaterThan(3);
      assertThat(read(split, DType.INT64, Shape.of(2)).orElseThrow())
          .containsExactlyInAnyOrderElementsOf(table.collectAsList());
    } finally {
      LocalSpark.session().conf().unset("spark.sql.files.maxPartitionBytes");
    }
  }

  @Test
  void listsOfEqualLengthAreReadInBulk() {
    Dataset<Row> rows =
        LocalSpark.session().range(0, 9000, 1, 1).selectExpr("id AS i", "array(rand(), 2D) AS v");
    Dataset<Row> table = written(rows, Map.of("parquet.enable.dictionary", "false"));
    assertThat(inBulk(table.selectExpr("v AS value", "i AS i0"), 0)).isTrue();
    // the rows as SQL operators see them
    Dataset<Row> part =
        PlannedRows.of(
            scan(table), ClassicSpark.of(table).queryExecution().analyzed().stats(), "rows");
    assertThat(inBulk(part, 1)).isTrue();
    assertThat(inBulk(part.selectExpr("c1", "c0"), 0)).isTrue();
  }

  private static boolean inBulk(Dataset<Row> rows, int column) {
    ColumnarRows columns =
        ColumnarRows.of(
                rows,
                new SliceColumns(DType.FLOAT64, Shape.of(2), 1),
                ROWS,
                names -> Optional.empty())
            .orElseThrow();
    int ordinal = columns.ordinals().get(column);
    List<Boolean> batches =
        columns.batches().map(batch -> batch.column(ordinal) instanceof SliceVector).collect();
    assertThat(batches).hasSize(3);
    return batches.stream().allMatch(isSlices -> isSlices);
  }

  @Test
  void rowsReadAreCounted() {
    Dataset<Row> rows = LocalSpark.session().range(500).selectExpr("id AS i", "array(1L) AS v");
    FileSourceScanExec scan = scan(written(rows, Map.of()));
    PagedScan.of(scan, new SliceColumns(DType.INT64, Shape.of(1), 1), ROWS).orElseThrow().count();
    assertThat(scan.metrics().apply("numOutputRows").value()).isEqualTo(500);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void columnsThatAFileLacksAreNull(boolean isIndex) {
    String all = isIndex ? "array(1F) AS v" : "id AS i";
    written(LocalSpark.session().range(3).selectExpr(all), Map.of());
    Dataset<Row> table =
        LocalSpark.session().read().schema("i bigint, v array<float>").parquet(path());
    assertThat(read(table, DType.FLOAT32, Shape.of(1)).orElseThrow())
        .isEqualTo(table.collectAsList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"I bigint, V array<float>", "i int, v array<float>"})
  void otherColumnNamesAndTypesAreReadBySpark(String schema) {
    String index = schema.startsWith("I") ? "id" : "int(id)";
    written(
        LocalSpark.session().range(3).selectExpr(index + " AS i", "array(1F, 2F) AS v"), Map.of());
    Dataset<Row> table = LocalSpark.session().read().schema(schema).parquet(path());
    assertThat(read(table, DType.FLOAT32, Shape.of(2)).orElseThrow())
        .isEqualTo(table.collectAsList());
  }

  @Test
  void aPartitionOfATableIsReadByPage() {
    LocalSpark.session()
        .range(9)
        .selectExpr("id AS i", "array(1F) AS v", "id % 3 AS day")
        .write()
        .partitionBy("day")
        .parquet(path());
    Dataset<Row> day = LocalSpark.session().read().parquet(path()).where("day = 1");
    assertThat(day.count()).isEqualTo(3);
    assertThat(read(day, DType.FLOAT32, Shape.of(1)).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(day.collectAsList());
  }

  /** No column stands for metadata that cannot be read. */
  @Test
  void fileThatIsLeftToSparkIsClosed() {
    Dataset<Row> rows = LocalSpark.session().range(9).selectExpr("id AS i", "array(1F) AS v");
    FileSourceScanExec scan = scan(written(rows, Map.of()));
    Configuration hadoop = new Configuration();
    hadoop.set("fs.file.impl", OpenFiles.class.getName());
    hadoop.setBoolean("fs.file.impl.disable.cache", true);
    PagedReader reader =
        new PagedReader(
            split -> scala.collection.Iterator.empty(),
            LocalSpark.session()
                .sparkContext()
                .broadcast(
                    new SerializableConfiguration(hadoop),
                    ClassTag$.MODULE$.apply(SerializableConfiguration.class)),
            Collections.singletonList(null),
            scan.requiredSchema(),
            ROWS);
    FilePartition partition = ((FileScanRDD) scan.inputRDD()).filePartitions().head();
    assertThat(reader.apply(partition.files()[0]).hasNext()).isFalse();
    assertThat(OpenFiles.OPENED).hasPositiveValue();
    assertThat(OpenFiles.OPEN).isEmpty();
  }

  /** A local file system that counts open files. */
  public static final class OpenFiles extends RawLocalFileSystem {
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final Set<FSDataInputStream> OPEN = ConcurrentHashMap.newKeySet();

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path file, int bufferSize)
        throws IOException {
      OPENED.incrementAndGet();
      FSDataInputStream stream =
          new FSDataInputStream(super.open(file, bufferSize).getWrappedStream()) {
            @Override
            public void close() throws IOException {
              OPEN.remove(this);
              super.close();
            }
          };
      OPEN.add(stream);
      return stream;
    }
  }

  /** Columns are found by their ids in the session of the scan, whichever session is active. */
  @Test
  void filesWithFieldIdsAreReadBySpark() {
    SparkSession byId = LocalSpark.session().newSession();
    byId.conf().set("spark.sql.parquet.fieldId.read.enabled", "true");
    DataType list = DataTypes.createArrayType(DataTypes.FloatType, false);
    StructType renamed =
        new StructType().add("b", list, false, fieldId(1)).add("a", list, false, fieldId(2));
    LocalSpark.session()
        .range(9)
        .selectExpr("array(1F) AS a", "array(2F) AS b")
        .to(new StructType().add("a", list, false, fieldId(1)).add("b", list, false, fieldId(2)))
        .write()
        .parquet(path());
    Dataset<Row> table = byId.read().schema(renamed).parquet(path());
    assertThat(table.head().getList(0)).containsExactly(1F);
    assertThat(read(table, DType.FLOAT32, Shape.of(1))).isEmpty();
  }

  private static Metadata fieldId(long id) {
    return new MetadataBuilder().putLong("parquet.field.id", id).build();
  }

  @Test
  void unsupportedPlansAreNotRead() {
    Dataset<Row> rows = LocalSpark.session().range(9).selectExpr("id AS i", "array(1F) AS v");
    Dataset<Row> table = written(rows, Map.of());
    assertThat(read(table.where("i > 3"), DType.FLOAT32, Shape.of(1))).isEmpty();
    assertThat(read(table, DType.FLOAT64, Shape.of(1))).isEmpty();
    assertThat(read(table.select("i"), DType.FLOAT32, Shape.of(1))).isEmpty();
  }

  private String path() {
    return folder.resolve("table").toString();
  }

  private Dataset<Row> written(Dataset<Row> rows, Map<String, String> options) {
    rows.write().options(options).parquet(path());
    return LocalSpark.session().read().parquet(path());
  }

  private static FileSourceScanExec scan(Dataset<Row> table) {
    SparkPlan plan = ClassicSpark.of(table).queryExecution().executedPlan();
    while (!(plan instanceof FileSourceScanExec)) {
      plan = plan.children().head();
    }
    return (FileSourceScanExec) plan;
  }

  @SuppressWarnings("unchecked")
  private static Optional<List<Row>> read(Dataset<Row> table, DType dtype, Shape slice) {
    FileSourceScanExec scan = scan(table);
    StructType schema = scan.schema();
    return PagedScan.of(scan, new SliceColumns(dtype, slice, slice.rank()), ROWS)
        .map(
            batches ->
                ((RDD<ColumnarBatch>) batches)
                    .toJavaRDD()
                    .flatMap(batch -> rows(batch, schema).iterator())
                    .collect());
  }

  private static List<Row> rows(ColumnarBatch batch, StructType schema) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < batch.numRows(); i++) {
      rows.add(InternalRows.external(batch.getRow(i), schema));
    }
    return rows;
  }
}
