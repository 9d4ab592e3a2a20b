/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.plus;
import static io.sparknd.table.HookedLake.read;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tables that SparkND cannot write to or that are not tensor tables, and unusual names. */
class TableRefusalTest {
  private final SparkSession spark = HookedLake.spark();
  private TensorTable table;

  @BeforeEach
  void makeTable() {
    table = HookedLake.create();
  }

  @Test
  void hadoopCatalogIsWrittenToOnlyOnRequest(@TempDir Path directory) {
    spark.conf().set("spark.sql.catalog.hadoop", "org.apache.iceberg.spark.SparkCatalog");
    spark.conf().set("spark.sql.catalog.hadoop.type", "hadoop");
    spark.conf().set("spark.sql.catalog.hadoop.warehouse", directory.toUri().toString());
    TensorTable unsafe = TensorTable.create(spark, "hadoop.a.t", HookedLake.spec());
    assertRefused(() -> add(unsafe), "hadoop.a.t is in a Hadoop catalog, which can lose a commit");
    assertRefused(unsafe::compact, "Hadoop catalog");
    spark.conf().set("spark.sparknd.table.allowHadoopCatalog", "true");
    try {
      add(unsafe);
      assertThat(read(unsafe)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
    } finally {
      spark.conf().unset("spark.sparknd.table.allowHadoopCatalog");
    }
  }

  @Test
  void tableWithoutItsPropertiesIsRejected() {
    spark.sql("ALTER TABLE " + table.name() + " UNSET TBLPROPERTIES ('sparknd.shape')");
    assertRefused(this::open, "is not a tensor table: it has no property sparknd.shape");
    assertRefused(() -> add(table), "is not a tensor table");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "ten", "9999999999"})
  void blockSizeOfZeroIsRejected(String rows) {
    set("sparknd.rows-per-block", rows);
    assertRefused(this::open, "sparknd.rows-per-block = '" + rows + "' is not a number of rows");
  }

  @Test
  void unknownModeIsRejected() {
    set("write.merge.mode", "copy-on-read");
    assertRefused(
        () -> add(table),
        "write.merge.mode = 'copy-on-read' is not copy-on-write or merge-on-read");
    assertThat(read(table)).isEqualTo(new long[ROWS]);
  }

  @Test
  void propertiesThatDoNotFitTheTableAreRefused() {
    set("sparknd.rows-per-block", "7");
    assertRefused(this::open, "is partitioned by");
    set("sparknd.rows-per-block", "10");
    set("sparknd.dtype", "float32");
    assertRefused(
        this::open,
        "rows of table "
            + table.name()
            + " are float32 by its properties, which others changed,"
            + " and int64 by its values: set sparknd.dtype and sparknd.shape back");
    set("sparknd.dtype", "quaternion");
    assertRefused(this::open, "quaternion");
    set("sparknd.dtype", "int64");
    assertThat(read(table)).isEqualTo(new long[ROWS]);
  }

  /** Tables of earlier builds have no number. */
  @Test
  void formatsOfLaterVersionsAreNamed() {
    String format = "sparknd.format";
    assertThat(table.iceberg().properties()).containsEntry(format, "1");
    set(format, "2");
    String why =
        "table " + table.name() + " has sparknd.format = 2, and this SparkND knows formats";
    assertRefused(this::open, why + " up to 1");
    assertThatThrownBy(() -> add(table)).hasMessageContaining(why);
    set(format, "one");
    assertRefused(this::open, "sparknd.format = 'one' is not a positive number");
    spark.sql("ALTER TABLE " + table.name() + " UNSET TBLPROPERTIES ('sparknd.format')");
    add(table);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
  }

  /** Tables of earlier versions. */
  @Test
  void propertiesThatDoNotFitTheColumnsAreRefusedWithoutRecord() {
    spark.sql("ALTER TABLE " + table.name() + " UNSET TBLPROPERTIES ('sparknd.stored')");
    add(table);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
    set("sparknd.dtype", "float32");
    assertRefused(this::open, "column value of table " + table.name() + " is value long");
  }

  /** Its column is of the same type, and the values have as many bytes. */
  @Test
  void bytesOfAnotherDTypeAreNotRead() {
    String name = table.name() + "_bytes";
    TensorSpec spec = TensorSpec.of(DType.FLOAT32, Shape.of(4, 2));
    TensorTable.create(spark, name, spec.withBinaryValues());
    for (String change : List.of("'sparknd.dtype'='int32'", "'sparknd.shape'='[4, 2, 1]'")) {
      spark.sql("ALTER TABLE " + name + " SET TBLPROPERTIES (" + change + ")");
      assertRefused(() -> TensorTable.open(spark, name), "and float32[2] by its values");
      spark.sql(
          "ALTER TABLE "
              + name
              + " SET TBLPROPERTIES ('sparknd.dtype'='float32', 'sparknd.shape'='[4, 2]')");
      assertThat(TensorTable.open(spark, name).dtype()).isEqualTo(DType.FLOAT32);
    }
  }

  @Test
  void anEncryptedTableIsRefused() {
    set("encryption.key-id", "k");
    assertRefused(this::open, "is encrypted");
  }

  @Test
  void droppedOrRenamedColumnIsNamed() {
    spark.sql("ALTER TABLE " + table.name() + " RENAME COLUMN value TO worth");
    assertRefused(this::open, "is worth long; its tensor needs value long");
    spark.sql("ALTER TABLE " + table.name() + " ADD COLUMN other int");
    spark.sql("ALTER TABLE " + table.name() + " DROP COLUMN worth");
    assertRefused(() -> add(table), "is not there; its tensor needs value long");
  }

  /** New rows would have no value for the column. */
  @Test
  void requiredColumnWithoutDefaultIsNamed() {
    add(table);
    table.iceberg().refresh();
    table
        .iceberg()
        .updateSchema()
        .allowIncompatibleChanges()
        .addRequiredColumn(null, "note.x", Types.StringType.get())
        .commit();
    assertRefused(() -> add(table), "has required columns [note.x] besides those of its tensor");
    assertRefused(table::compact, "or give them a default");
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
  }

  /** Files keep their spec, so reads go on, also of files that another program writes meanwhile. */
  @Test
  void otherPartitionsRefuseCommits() {
    add(table);
    long[] before = read(table);
    Table iceberg = table.iceberg();
    iceberg.refresh();
    iceberg.updateSpec().addField("by three", Expressions.bucket("i0", 3)).commit();
    String undo = "run ALTER TABLE " + table.name() + " DROP PARTITION FIELD `by three`";
    assertRefused(() -> add(table), undo);
    assertRefused(table::compact, undo);
    assertThat(read(TensorTable.open(spark, table.name()))).isEqualTo(before);
    spark.sql("INSERT INTO " + table.name() + " VALUES (29, 7)");
    before[29] = 7;
    assertThat(read(table)).isEqualTo(before);
    iceberg.refresh();
    iceberg.updateSpec().removeField("by three").commit();
    add(table);
    assertThat(read(table)).isEqualTo(plus(before, 0, 20, 1));
    table.compact();
    assertThat(read(table)).isEqualTo(plus(before, 0, 20, 1));
  }

  @Test
  void aFileOfAnotherFormatIsNamed() {
    spark.sql(
        "ALTER TABLE " + table.name() + " SET TBLPROPERTIES ('write.format.default' = 'orc')");
    spark.sql("INSERT INTO " + table.name() + " VALUES (3, 7)");
    assertRefused(() -> add(table), ".orc of table " + table.name() + " is ORC");
    assertThatThrownBy(() -> read(table)).hasMessageContaining("is ORC");
  }

  @Test
  void equalityDeletesAreNamed() {
    add(table);
    Table iceberg = table.iceberg();
    iceberg.refresh();
    iceberg
        .newRowDelta()
        .addDeletes(
            FileMetadata.deleteFileBuilder(iceberg.spec())
                .ofEqualityDeletes(1)
                .withPath(iceberg.location() + "/data/by-value.parquet")
                .withPartition(DataFiles.data(iceberg.spec(), "i0_trunc=0"))
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build())
        .commit();
    assertRefused(
        () -> add(table), "by-value.parquet of table " + table.name() + " holds equality deletes");
  }

  @Test
  void duplicateRowIsNamedWithItsFile() {
    add(table);
    long[] before = read(table);
    spark.sql("INSERT INTO " + table.name() + " VALUES (3, 7)");
    assertRefused(
        () -> add(table), "row 3 of the tensor occurs twice in the table, once in file file:");
    assertUnreadable("row 3 of the tensor occurs twice in the table");
    assertRefused(table::compact, "row 3 of the tensor occurs twice in the table");
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 3 AND value = 7");
    assertThat(read(table)).isEqualTo(before);
  }

  /** The scatter updates other rows of the block and rewrites their small file. */
  @Test
  void duplicateRowsInARewrittenFileAreRejected() {
    TensorTable whole =
        TensorTable.create(
            spark, HookedLake.name(), HookedLake.spec().withProperty("format-version", "2"));
    spark.sql("INSERT INTO " + whole.name() + " VALUES (3, 7), (3, 8), (4, 9)");
    assertRefused(
        () -> whole.scatter(Scatter.add(), updates(5, 9, 1), COLUMNS),
        "row 3 of the tensor occurs twice in the table");
    assertThat(spark.table(whole.name()).where("i0 = 3").count()).isEqualTo(2);
  }

  @Test
  void rowsOutsideTheTensorAreNamed() {
    spark.sql("INSERT INTO " + table.name() + " VALUES (31, 7)");
    assertUnreadable("i0 = 31");
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 31");
    spark.sql("INSERT INTO " + table.name() + " VALUES (-1, 7)");
    assertUnreadable("i0 = -1");
  }

  @Test
  void unknownSnapshotsAndWritesToSnapshotsAreRejected() {
    assertRefused(() -> table.snapshot(17), "has no snapshot 17");
    add(table);
    TensorTable pinned = table.snapshot(table.snapshot().getAsLong());
    assertRefused(pinned::write, "which is read-only");
    assertRefused(() -> pinned.expire(Retention.of(Duration.ZERO)), "which is read-only");
  }

  @Test
  void timesMayBeAnyOfJava() {
    add(table);
    add(table);
    assertThat(table.asOf(Instant.MAX).snapshot()).isEqualTo(table.snapshot());
    assertRefused(() -> table.asOf(Instant.MIN), "as of -1000000000-01-01T00:00:00Z");
    assertThat(table.orphans(Duration.ofSeconds(Long.MAX_VALUE))).isEmpty();
  }

  @Test
  void existingAndMissingTablesAreNamed() {
    assertRefused(
        () -> TensorTable.create(spark, table.name(), HookedLake.spec()), "already exists");
    assertRefused(() -> TensorTable.open(spark, "hooked.tests.none"), "does not exist");
    assertRefused(() -> TensorTable.open(spark, "nowhere.tests.none"), "Iceberg catalog");
    assertRefused(() -> TensorTable.open(spark, "hooked..none"), "is not a table name");
    assertRefused(() -> TensorTable.open(spark, "hooked.tests.no`ne"), "is not a table name");
    assertRefused(() -> TensorTable.open(spark, ""), "is not a table name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"`with.dots`", "`with``tick`", "`with space`", "`it's`", "`ünï`", "`-`"})
  void namesAreParsedAsInSql(String last) {
    String name = "hooked.`name.space`." + last;
    TensorTable made = TensorTable.create(spark, name, HookedLake.spec());
    add(made);
    assertThat(made.name()).isEqualTo(name);
    assertThat(read(TensorTable.open(spark, made.name())))
        .isEqualTo(plus(new long[ROWS], 0, 20, 1));
    assertThat(spark.sql("SELECT * FROM " + name).count()).isEqualTo(20);
  }

  /** A handle keeps its table if the session's current catalog changes. */
  @Test
  void handleKeepsItsTableIfTheCurrentCatalogChanges() {
    String current = spark.catalog().currentCatalog();
    try {
      spark.sql("USE hooked.tests");
      TensorTable made = TensorTable.create(spark, "short", HookedLake.spec());
      spark.sql("USE " + current);
      add(made);
      assertThat(made.name()).isEqualTo("hooked.tests.short");
    } finally {
      spark.catalog().setCurrentCatalog(current);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"with.dots", "with`tick", "with space", "it's", "ünï", "select"})
  void columnsMayHaveAnyName(String column) {
    TensorTable made =
        TensorTable.create(
            spark,
            HookedLake.name(),
            HookedLake.spec().withIndexColumns(column).withValueColumn("v " + column));
    add(made);
    add(made);
    assertThat(made.compact().snapshot()).isEqualTo(made.snapshot().getAsLong());
    assertThat(read(made)).isEqualTo(plus(new long[ROWS], 0, 20, 2));
    assertThat(spark.sql("SELECT * FROM " + made.name()).count()).isEqualTo(20);
  }

  @Test
  void invalidSpecsAreRejected() {
    TensorSpec spec = TensorSpec.of(DType.FLOAT32, Shape.of(8, 2));
    assertRefused(() -> spec.withIndexColumns("a,b"), "'a,b' is not a valid column name");
    assertRefused(() -> spec.withIndexColumns(" "), "' ' is not a valid column name");
    assertRefused(() -> spec.withIndexColumns("value"), "[value, value] contain a duplicate");
    assertRefused(() -> spec.withIndexColumns("VALUE"), "[VALUE, value] contain a duplicate");
    assertRefused(() -> spec.withIndexColumns("i", "i"), "contain a duplicate");
    assertRefused(() -> spec.withFeatures("f", "F"), "contain a duplicate");
    assertRefused(
        () -> spec.withIndexColumns("i", "j", "k"), "3 index columns for a tensor of shape [8, 2]");
    assertRefused(() -> spec.withFeatures("one"), "layout");
    assertRefused(() -> TensorSpec.of(DType.FLOAT32, Shape.of(8, 0)), "[8, 0] has no elements");
    assertRefused(() -> TensorSpec.of(DType.FLOAT32, Shape.of()), "index columns");
    assertRefused(() -> spec.withRowsPerBlock(0), "rowsPerBlock is 0");
    assertThatCode(() -> spec.withIndexColumns("select").withValueColumn("from"))
        .doesNotThrowAnyException();
  }

  /**
   * The field ids in data files are those of the table in every layout, so Spark reads the same
   * values.
   */
  @Test
  void sparkReadsComplexFeatures() {
    TensorTable made =
        TensorTable.create(
            spark,
            HookedLake.name(),
            TensorSpec.of(DType.COMPLEX64, Shape.of(4, 2)).withFeatures("f", "g"));
    made.scatter(
        Scatter.update(),
        spark.sql(
            "SELECT 1L AS i0, array(named_struct('re', 1f, 'im', 2f),"
                + " named_struct('re', 3f, 'im', 4f)) AS value"),
        COLUMNS);
    assertThat(spark.sql("SELECT f.re, f.im, g.re, g.im FROM " + made.name()).first().mkString(" "))
        .isEqualTo("1.0 2.0 3.0 4.0");
  }

  @Test
  void ordinaryIcebergTableIsNotATensorTable() {
    spark.sql("CREATE TABLE hooked.tests.foreign (i0 BIGINT, value BIGINT) USING iceberg");
    assertRefused(
        () -> TensorTable.open(spark, "hooked.tests.foreign"),
        "is not a tensor table: it has no property");
  }

  private void add(TensorTable to) {
    to.scatter(Scatter.add(), updates(0, 20, 1), TensorColumns.of("value", "i0"));
  }

  private TensorTable open() {
    return TensorTable.open(spark, table.name());
  }

  private void set(String property, String value) {
    table.iceberg().refresh();
    table.iceberg().updateProperties().set(property, value).commit();
  }

  /** Checks the error of Spark's own read and that of {@code load}. */
  private void assertUnreadable(String why) {
    assertThatThrownBy(() -> read(table)).hasStackTraceContaining(why);
    assertRefused(() -> table.load(Partitioning.AUTO), why);
  }

  private static void assertRefused(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContaining(why);
  }
}
