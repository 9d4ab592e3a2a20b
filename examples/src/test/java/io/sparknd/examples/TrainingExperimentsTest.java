/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.classes.ClassFiles;
import io.sparknd.examples.classes.ClassExperiment;
import io.sparknd.examples.clicks.ClickExperiment;
import io.sparknd.examples.clicks.ClickTask;
import io.sparknd.examples.clicks.CriteoLines;
import io.sparknd.examples.ratings.RatingExperiment;
import io.sparknd.examples.ratings.RatingLines;
import io.sparknd.examples.ratings.RatingTask;
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
class TrainingExperimentsTest {
  @TempDir private Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ExampleSession.open("training experiments");
  }

  @AfterAll
  static void stop() throws IOException {
    spark.close();
  }

  @Test
  void classesThatReferToEachOtherAreNear() throws IOException {
    // only the Java core library
    ClassFiles files = ClassFiles.read(ClassFiles.entries(""));
    double auc = new ClassExperiment(spark, files, 600, 20).run(folder);
    assertThat(auc).isGreaterThan(0.65);
    assertThat(Files.readString(folder.resolve("loss.svg"))).contains("<svg");
    assertThat(Files.readString(folder.resolve("packages.svg"))).contains("<svg");
  }

  @Test
  void ratingsAreNearlyAsNoisyAsPlanted() throws IOException {
    double rmse =
        new RatingExperiment(spark, RatingTask.planted(spark, 300, 60, 20_000), 16).run(folder);
    assertThat(rmse).isBetween(0.5, 0.58);
    assertThat(folder.resolve("loss.svg")).isNotEmptyFile();
  }

  @Test
  void ratingsOfAFileArePredicted() throws IOException {
    Path file = folder.resolve("u.data");
    Files.write(file, RatingLines.of("\t", 3_000));
    RatingTask task = RatingTask.movieLens(spark, file.toString());
    // users and items vary by 1; a third is noise, and ratings are rounded
    assertThat(new RatingExperiment(spark, task, 8).run(folder)).isLessThan(0.55);
  }

  @Test
  void whoClicksIsFoundOut() throws IOException {
    double auc = new ClickExperiment(spark, ClickTask.planted(spark, 20_000), 2, 1).run(folder);
    assertThat(auc).isGreaterThan(0.65);
    assertThat(folder.resolve("loss.svg")).isNotEmptyFile();
  }

  @Test
  void whoClicksInCriteosLogIsFoundOut() throws IOException {
    Path file = folder.resolve("train.txt");
    Files.write(file, CriteoLines.of(3_000));
    ClickTask task = ClickTask.criteo(spark, file.toString());
    assertThat(new ClickExperiment(spark, task, 1, 1).run(folder)).isGreaterThan(0.7);
  }
}
