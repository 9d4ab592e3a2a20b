/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.oracle.TensorAssert;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a stream whose JVM is killed trains each micro-batch once. */
@Tag("slow")
class KilledStreamTest {
  private static final int FILES = 3;
  private static final int KILLED = 137;
  private static final long SECONDS = 120;

  @TempDir private Path directory;

  /** Where the JVM is killed, in the second micro-batch. */
  enum Kill {
    /** While its table is saved, or before the manifest is written. */
    WITHOUT_MANIFEST,
    /** After the manifest, before Spark commits the micro-batch. */
    BEFORE_COMMIT
  }

  /** Runs a query over all files, until it is killed. */
  public static void main(String[] args) throws Exception {
    Path path = Path.of(args[0]);
    Kill kill = Kill.valueOf(args[1]);
    SparkSession spark = LocalSpark.session();
    ContinualTraining training = ContinualTrainingTest.training(spark, path.resolve("models"));
    ContinualTrainingTest.stream(
        spark,
        path.resolve("input"),
        path.resolve("query"),
        (rows, batch) -> {
          if (batch == 1 && kill == Kill.WITHOUT_MANIFEST) {
            haltAtNextTable(path.resolve("models"));
          }
          training.call(rows, batch);
          if (batch == 1) {
            Runtime.getRuntime().halt(KILLED);
          }
        });
  }

  private static void haltAtNextTable(Path models) {
    Thread thread =
        new Thread(
            () -> {
              while (count(models, "table-") < 2) {
                Thread.onSpinWait();
              }
              Runtime.getRuntime().halt(KILLED);
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void killedWithoutAManifest() throws Exception {
    killed(Kill.WITHOUT_MANIFEST);
    assertThat(count(directory.resolve("models"), "table-")).isEqualTo(2);
    assertThat(count(directory.resolve("models"), "stream-")).isOne();
    assertRestarted();
  }

  @Test
  void killedBetweenManifestAndCommit() throws Exception {
    killed(Kill.BEFORE_COMMIT);
    assertThat(count(directory.resolve("models"), "stream-")).isEqualTo(2);
    assertRestarted();
  }

  private void assertRestarted() throws Exception {
    SparkSession spark = LocalSpark.session();
    ContinualTraining training = ContinualTrainingTest.training(spark, directory.resolve("models"));
    List<Long> batches = new ArrayList<>();
    ContinualTrainingTest.stream(
        spark,
        directory.resolve("input"),
        directory.resolve("query"),
        (rows, batch) -> {
          batches.add(batch);
          training.call(rows, batch);
        });
    assertThat(batches).containsExactly(1L, 2L);
    TensorAssert.assertSameBits(
        training.table().weights().collect(),
        ContinualTrainingTest.expected(spark, directory.resolve("input"), FILES));
  }

  private void killed(Kill kill) throws Exception {
    ContinualTrainingTest.writeInput(directory.resolve("input"), FILES);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(KilledStreamTest.class.getName(), directory.toString(), kill.name()));
    File log = directory.resolve("process.log").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    try {
      assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(log.toPath())).isEqualTo(KILLED);
  }

  private static long count(Path path, String prefix) {
    String[] names = path.toFile().list();
    return names == null ? 0 : Stream.of(names).filter(name -> name.startsWith(prefix)).count();
  }
}
