/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.classes.ClassFiles;
import io.sparknd.examples.classes.ClassStory;
import io.sparknd.examples.clicks.ClickStory;
import io.sparknd.examples.ratings.RatingStory;
import io.sparknd.examples.support.ExampleSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The training examples on small data, with the engine and the MLlib models. */
@Tag("slow")
class TrainingStoriesTest {
  @TempDir private Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ExampleSession.open("training stories");
  }

  @AfterAll
  static void stop() throws IOException {
    spark.close();
  }

  @Test
  void classesThatReferToEachOtherAreNear() throws IOException {
    // only the Java core library
    ClassFiles files = ClassFiles.read(ClassFiles.entries(""));
    double auc = new ClassStory(spark, files, 1_000, 30).tell(folder);
    assertThat(auc).isGreaterThan(0.65);
    assertThat(Files.readString(folder.resolve("loss.svg"))).contains("<svg");
    assertThat(Files.readString(folder.resolve("packages.svg"))).contains("<svg");
  }

  @Test
  void ratingsAreNearlyAsNoisyAsPlanted() throws IOException {
    double rmse = new RatingStory(spark, 500, 100, 50_000, 20).tell(folder);
    assertThat(rmse).isBetween(0.5, 0.58);
    assertThat(folder.resolve("loss.svg")).isNotEmptyFile();
  }

  @Test
  void whoClicksIsFoundOut() throws IOException {
    double auc = new ClickStory(spark, 60_000, 5, 2).tell(folder);
    assertThat(auc).isGreaterThan(0.65);
    assertThat(folder.resolve("loss.svg")).isNotEmptyFile();
  }
}
