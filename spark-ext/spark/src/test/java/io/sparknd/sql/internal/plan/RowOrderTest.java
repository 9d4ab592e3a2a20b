/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation$;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.immutable.Seq;

/** Tests over which plans a filter keeps the order of rows. */
class RowOrderTest {
  private static final int PARTITIONS = 12;

  @TempDir private Path folder;

  private final SparkSession spark = LocalSpark.session().newSession();

  /** Writes two files of lines to each directory; splits depend on how many files are read. */
  @BeforeEach
  void writeFiles() throws IOException {
    for (int p = 0; p < PARTITIONS; p++) {
      Path directory = Files.createDirectories(folder.resolve("p=" + p));
      int scale = p == 2 ? 1 : 3;
      Files.writeString(directory.resolve("a" + p + ".json"), lines(p, 'a', 40 * scale));
      Files.writeString(directory.resolve("b" + p + ".json"), lines(p, 'b', 36 * scale));
    }
    spark.conf().set("spark.sql.files.openCostInBytes", 1);
    spark.conf().set("spark.sql.files.minPartitionNum", 4);
  }

  private static String lines(int key, char file, int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("{\"k\": %d, \"v\": \"%c%d\"}\n".formatted(key, file, 100 + i));
    }
    return lines.toString();
  }

  /** Names the folder in a query of {@code files}; a view would hide {@code _metadata}. */
  private String from(String query) {
    return query.replace("FROM files", "FROM json.`" + folder + "`");
  }

  private boolean isKept(String query) {
    return isKept(ClassicSpark.of(spark.sql(from(query))).queryExecution().optimizedPlan());
  }

  /** Returns whether a filter on the first column keeps the order. */
  private static boolean isKept(LogicalPlan plan) {
    return RowOrder.isKept(plan, ScalaSeqs.list(plan.output()).subList(0, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "k + 1", "k * 2 - k", "IF(v > 'b', k, 0)"})
  void orderIsKeptIfTheFilterIsOnColumnsInFiles(String id) {
    assertThat(isKept("SELECT " + id + " AS id, v FROM files WHERE v <> 'a9'")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p",
        "CAST(p AS BIGINT)",
        "p + 1",
        "coalesce(p, 0)",
        "k + p",
        "_metadata.file_size",
        "CAST(regexp_extract(_metadata.file_name, '([0-9]+)', 1) AS BIGINT)",
        "CAST(regexp_extract(input_file_name(), '([0-9]+).json', 1) AS BIGINT)",
        "monotonically_increasing_id()"
      })
  void orderIsNotKeptIfTheFilterMaySelectFiles(String id) {
    assertThat(isKept("SELECT " + id + " AS id, v FROM files WHERE v <> 'a9'")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM range(9)",
        "SELECT k FROM files WHERE rand() < 0.5",
        "SELECT k FROM files UNION ALL SELECT id FROM range(3)",
        "SELECT k FROM files ORDER BY v",
        "SELECT k FROM files LIMIT 9",
        "SELECT k, count(*) FROM files GROUP BY k",
        "SELECT /*+ REPARTITION(3) */ k FROM files"
      })
  void otherPlans(String query) {
    assertThat(isKept(query)).isEqualTo(query.contains("range(9)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "p", "p + 1", "CAST(substr(_metadata.file_name, 2, 1) AS INT)"})
  void filterOnFilesDoesNotChangeTheLastUpdate(String id) {
    String updates = from("SELECT " + id + " AS id, v FROM files WHERE p < 9");
    String call = "scatter_nd(TABLE(" + updates + "), array(10), 'none')";
    Dataset<Row> whole = spark.sql("SELECT * FROM " + call);
    Dataset<Row> known = spark.createDataFrame(whole.collectAsList(), whole.schema());
    assertThat(spark.sql("SELECT v FROM " + call + " WHERE id = 2").collectAsList())
        .isEqualTo(known.where("id = 2").select("v").collectAsList());
  }

  /** An index of files as other libraries have one, which may skip files by filters on data. */
  private record SkippingIndex(FileIndex all) implements FileIndex {
    @Override
    public Seq<org.apache.hadoop.fs.Path> rootPaths() {
      return all.rootPaths();
    }

    @Override
    public Seq<PartitionDirectory> listFiles(Seq<Expression> partitions, Seq<Expression> data) {
      return all.listFiles(partitions, data);
    }

    @Override
    public String[] inputFiles() {
      return all.inputFiles();
    }

    @Override
    public void refresh() {
      all.refresh();
    }

    @Override
    public long sizeInBytes() {
      return all.sizeInBytes();
    }

    @Override
    public StructType partitionSchema() {
      return all.partitionSchema();
    }
  }

  @Test
  void orderIsNotKeptIfAnotherLibraryChoosesTheFiles() {
    LogicalRelation plan =
        (LogicalRelation)
            ClassicSpark.of(spark.sql(from("SELECT * FROM files")))
                .queryExecution()
                .optimizedPlan();
    HadoopFsRelation relation = (HadoopFsRelation) plan.relation();
    HadoopFsRelation skipping =
        new HadoopFsRelation(
            new SkippingIndex(relation.location()),
            relation.partitionSchema(),
            relation.dataSchema(),
            relation.bucketSpec(),
            relation.fileFormat(),
            relation.options(),
            relation.sparkSession());
    LogicalPlan other = LogicalRelation$.MODULE$.apply(skipping, false);
    assertThat(isKept(plan)).isTrue();
    assertThat(isKept(other)).isFalse();
  }
}
