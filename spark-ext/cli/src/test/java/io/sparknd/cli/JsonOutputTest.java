/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.LocalSpark;
import io.sparknd.arrow.ArrowTensors;
import io.sparknd.cli.check.CaseFiles;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the objects that {@code --json} prints, whose names must not change. */
class JsonOutputTest {
  private static final Tensor DATA = Tensor.of(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f);

  @TempDir Path folder;

  private static JsonNode json(CliRun run) throws IOException {
    assertThat(run.lines()).hasSize(1);
    return new ObjectMapper().readTree(run.out());
  }

  private static void assertJson(CliRun run, String expected) throws IOException {
    assertThat(run.err()).isEmpty();
    assertThat(json(run)).isEqualTo(new ObjectMapper().readTree(expected.replace('\'', '"')));
  }

  @Test
  void infoOfNpyFiles() throws IOException {
    Path file = folder.resolve("a.npy");
    Npy.write(DATA, file);

    assertJson(
        CliRun.of("info", file, "--json"),
        """
        {'format': 'npy', 'dtype': 'float32', 'shape': [3, 2], 'elements': 6, 'bytes': 24,
         'npy': {'version': 1, 'data_offset': 128, 'order': 'row-major', 'descr': '<f4'}}
        """);
  }

  @Test
  void infoOfScalars() throws IOException {
    Path file = folder.resolve("a.npy");
    Npy.write(Tensor.of(Shape.of(), 7L), file);

    assertThat(json(CliRun.of("info", file, "--json")).get("shape").toString()).isEqualTo("[]");
  }

  @Test
  void infoOfArrowFiles() throws IOException {
    Path file = folder.resolve("a.arrow");
    ArrowTensors.write(DATA, file);

    assertJson(
        CliRun.of("info", file, "--json"),
        "{'format': 'arrow', 'dtype': 'float32', 'shape': [3, 2], 'elements': 6, 'bytes': "
            + Files.size(file)
            + "}");
  }

  @Test
  void infoOfSavedTensors() throws IOException {
    Path saved = folder.resolve("saved");
    DistributedTensor.of(LocalSpark.session(), DATA, Partitioning.of(2)).save(saved.toString());

    JsonNode info = json(CliRun.of("info", saved, "--json"));

    assertThat(info.get("format").textValue()).isEqualTo("saved");
    assertThat(info.get("saved").get("partitions").intValue()).isEqualTo(2);
    assertThat(info.get("saved").get("block_bytes").intValue()).isPositive();
    assertThat(info.has("npy")).isFalse();
  }

  @Test
  void errorsLeaveStdoutEmpty() {
    CliRun run = CliRun.of("info", folder.resolve("gone"), "--json");

    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("does not exist");
    assertThat(run.code()).isEqualTo(1);
  }

  private static CaseFiles add() {
    return CaseFiles.of("tensor_scatter_nd_add")
        .data(Tensor.of(Shape.of(3), 1, 2, 3))
        .indices(Tensor.of(Shape.of(1, 1), 1))
        .updates(Tensor.of(Shape.of(1), 5))
        .expected(Tensor.of(Shape.of(3), 1, 7, 3));
  }

  @Test
  void check() throws IOException {
    add().write(folder, "a/good");
    add().expected(Tensor.of(Shape.of(3), 1, 8, 3)).write(folder, "b");
    add().attribute("optional", true).write(folder, "c");

    CliRun run = CliRun.of("check", folder, "--engine", "local", "--json");

    JsonNode report = json(run);
    assertThat(run.code()).isEqualTo(1);
    assertThat(report.get("passed").intValue()).isEqualTo(1);
    assertThat(report.get("failed").intValue()).isEqualTo(1);
    assertThat(report.get("skipped").intValue()).isEqualTo(1);
    assertThat(report.get("seconds").doubleValue()).isPositive();
    assertThat(report.get("cases").get(0).toString())
        .isEqualTo("{\"name\":\"a/good\",\"result\":\"passed\"}");
    assertThat(report.get("cases").get(1).get("result").textValue()).isEqualTo("failed");
    assertThat(report.get("cases").get(1).get("reason").textValue())
        .contains("expected 8, actual 7");
    assertThat(report.get("cases").get(2).get("result").textValue()).isEqualTo("skipped");
  }

  @Test
  void checkWithoutCases() throws IOException {
    CliRun run = CliRun.of("check", folder, "--json");

    assertThat(run.code()).isEqualTo(1);
    assertThat(json(run).get("cases")).isEmpty();
  }

  @Test
  void doctor() throws IOException {
    JsonNode report = json(CliRun.of("doctor", "--json"));

    assertThat(report.get("ready").isBoolean()).isTrue();
    assertThat(report.get("findings"))
        .extracting(each -> each.get("name").textValue())
        .containsExactly("JDK", "Spark", "Iceberg", "vector kernels", "GPU", "Python", "Docker");
    assertThat(report.get("findings"))
        .allSatisfy(
            each -> {
              assertThat(each.fieldNames())
                  .toIterable()
                  .containsExactly("name", "need", "state", "found", "problem", "cost", "remedy");
              assertThat(each.get("state").textValue()).isIn("ok", "unusable", "missing");
              assertThat(each.get("need").textValue()).isIn("required", "optional");
            });
  }
}
