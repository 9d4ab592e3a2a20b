/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the steps by which docs/how-to/feature-tables.md erases a person. */
@Tag("slow")
class ErasedPersonTest {
  /** As short as the bounds of columns in manifests. */
  private static final String PERSON = "zoe-of-page-42";

  private static FeatureTable create(String... properties) {
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(0))
            .withProperty("write.parquet.compression-codec", "uncompressed")
            .withBuckets(2);
    for (String property : properties) {
      String[] parts = property.split("=");
      spec = spec.withProperty(parts[0], parts[1]);
    }
    return FeatureTable.create(TestTables.spark(), TestTables.name(), spec);
  }

  private static void scatter(FeatureTable table) {
    SparkSession spark = TestTables.spark();
    table.scatter(spark.sql("SELECT concat('u', id) AS user, 1L AS views FROM range(20)"));
    table.scatter(spark.sql("SELECT '" + PERSON + "' AS user, 2L AS views"));
  }

  private static void call(String procedure) {
    SparkSession spark = TestTables.spark();
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    spark.sql("CALL nd.system." + procedure).collectAsList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"format-version=3", "format-version=2", "write.merge.mode=copy-on-write"})
  void noFileOfTheTableHasTheKeyAfterAllSteps(String property) throws IOException {
    FeatureTable table = create(property);
    scatter(table);
    table.iceberg().refresh();
    long snapshot = table.snapshot().orElseThrow();
    table
        .iceberg()
        .manageSnapshots()
        .createBranch("audit", snapshot)
        .createTag("model", snapshot)
        .commit();
    List<String> names = List.of(table.name(), table.name() + ".branch_audit");
    for (String name : names) {
      call("evict('" + name + "', where => 'user = \"" + PERSON + "\"')");
      call("compact('" + name + "')");
    }
    assertThat(filesWithTheKey(table)).anyMatch(file -> file.endsWith(".parquet"));
    assertThat(filesWithTheKey(table)).anyMatch(file -> file.endsWith(".avro"));
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().removeTag("model").commit();
    table.iceberg().manageSnapshots().removeBranch("audit").commit();
    table.iceberg().rewriteManifests().clusterBy(file -> "all").commit();
    call("expire('" + table.name() + "', older_than => INTERVAL 0 SECONDS)");
    assertThat(filesWithTheKey(table)).isEmpty();
    assertThat(table.toDataset().count()).isEqualTo(20);
  }

  @Test
  void withoutBoundsOfKeysManifestsAndBranchesMayStay() throws IOException {
    FeatureTable table = create("write.metadata.metrics.column.user=none");
    scatter(table);
    table.iceberg().refresh();
    long snapshot = table.snapshot().orElseThrow();
    table.iceberg().manageSnapshots().createBranch("audit", snapshot).commit();
    for (String name : List.of(table.name(), table.name() + ".branch_audit")) {
      call("evict('" + name + "', where => 'user = \"" + PERSON + "\"')");
      call("compact('" + name + "')");
    }
    assertThat(filesWithTheKey(table)).allMatch(file -> file.endsWith(".parquet")).isNotEmpty();
    call("expire('" + table.name() + "', older_than => INTERVAL 0 SECONDS)");
    assertThat(filesWithTheKey(table)).isEmpty();
  }

  @Test
  void aTagOrALateEventKeepsTheKey() throws IOException {
    FeatureTable table = create();
    scatter(table);
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().createTag("model", table.snapshot().orElseThrow()).commit();
    call("evict('" + table.name() + "', where => 'user = \"" + PERSON + "\"')");
    call("compact('" + table.name() + "')");
    call("expire('" + table.name() + "', older_than => INTERVAL 0 SECONDS)");
    assertThat(filesWithTheKey(table)).isNotEmpty();
    table.scatter(TestTables.spark().sql("SELECT '" + PERSON + "' AS user, 2L AS views"));
    assertThat(table.toDataset().where("user = '" + PERSON + "'").count()).isEqualTo(1);
  }

  private static List<String> filesWithTheKey(FeatureTable table) throws IOException {
    List<String> found = new ArrayList<>();
    String location = table.iceberg().location();
    Path folder = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (text(file).contains(PERSON)) {
          found.add(file.toString());
        }
      }
    }
    return found;
  }

  /** Returns the bytes as text, those of an Avro file without its compression. */
  private static String text(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (file.toString().endsWith(".avro")) {
      bytes = uncompressed(file);
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] uncompressed(Path avro) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileReader<GenericRecord> reader =
            new DataFileReader<>(avro.toFile(), new GenericDatumReader<>());
        DataFileWriter<GenericRecord> writer =
            new DataFileWriter<GenericRecord>(new GenericDatumWriter<>())
                .setCodec(CodecFactory.nullCodec())
                .create(reader.getSchema(), bytes)) {
      writer.appendAllFrom(reader, true);
    }
    return bytes.toByteArray();
  }
}
