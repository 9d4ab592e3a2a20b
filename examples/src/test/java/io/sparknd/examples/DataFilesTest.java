/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.embedding.EmbeddingKeys;
import io.sparknd.examples.clicks.CriteoFile;
import io.sparknd.examples.clicks.CriteoLines;
import io.sparknd.examples.ratings.MovieLensFile;
import io.sparknd.examples.ratings.RatingLines;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in the formats of Criteo and MovieLens, as they are read. */
@Tag("slow")
class DataFilesTest {
  private static final String CATEGORIES = "\t".repeat(25);

  @TempDir private Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ExampleSession.open("data files");
  }

  @AfterAll
  static void stop() throws IOException {
    spark.close();
  }

  @Test
  void aCriteoColumnAndItsValueMakeAKey() throws IOException {
    String integers = "-1\t0\t2\t3\t\t1000\t1\t1\t1\t1\t1\t1\t1";
    Path file = write("train.txt", List.of("1\t" + integers + "\t68fd1e64" + CATEGORIES));
    Row row = CriteoFile.read(spark, file.toString()).first();
    List<Long> keys = row.getList(1);
    assertThat(row.getInt(0)).isEqualTo(1);
    assertThat(keys).hasSize(39);
    // floor(ln(3)^2) = 1, floor(ln(1000)^2) = 47
    assertThat(keys.subList(0, 6))
        .containsExactly(keys("I1 -1", "I2 0", "I3 2", "I4 log 1", "I5 ", "I6 log 47"));
    assertThat(keys.get(13)).isEqualTo(EmbeddingKeys.of("C1 68fd1e64"));
    assertThat(keys.get(14)).isEqualTo(EmbeddingKeys.of("C2 "));
    assertThat(keys.get(38)).isEqualTo(EmbeddingKeys.of("C26 "));
  }

  private static Long[] keys(String... features) {
    return Stream.of(features).map(EmbeddingKeys::of).toArray(Long[]::new);
  }

  @Test
  void criteoExamplesHaveThePositionsOfTheirLines() throws IOException {
    List<String> lines = CriteoLines.of(300);
    // the later file is the larger one, which Spark alone would read first
    write("day_0", lines.subList(0, 100));
    try (OutputStream day = Files.newOutputStream(folder.resolve("day_1.gz"));
        OutputStream zipped = new GZIPOutputStream(day)) {
      zipped.write(text(lines.subList(100, 300)).getBytes(StandardCharsets.UTF_8));
    }
    List<Row> rows = CriteoFile.read(spark, folder.toString()).orderBy("position").collectAsList();
    assertThat(rows).extracting(row -> row.getLong(2)).containsExactlyElementsOf(positions(300));
    assertThat(rows)
        .extracting(row -> row.getInt(0))
        .containsExactlyElementsOf(lines.stream().map(line -> line.charAt(0) - '0').toList());
  }

  private static List<Long> positions(int count) {
    return Stream.iterate(0L, i -> i + 1).limit(count).toList();
  }

  @Test
  void aLineThatIsNotCriteosIsShown() throws IOException {
    for (String bad :
        List.of("1\t2\tabc", CriteoLines.of(1).get(0) + "\tmore", "2" + line(), line())) {
      List<String> lines = new ArrayList<>(CriteoLines.of(3));
      lines.add(bad);
      String path = write("bad.txt", lines).toString();
      assertThatThrownBy(() -> CriteoFile.read(spark, path).collectAsList())
          .hasStackTraceContaining(
              "a line has another format: " + bad.substring(0, 1).replace('\t', ','));
    }
  }

  /** A line without a label. */
  private static String line() {
    return "\t5\t".concat("6\t".repeat(12)) + "68fd1e64" + CATEGORIES;
  }

  @Test
  void theThreeFormatsOfMovieLensAreTheSameRatings() throws IOException {
    List<String> csv = new ArrayList<>(List.of("userId,movieId,rating,timestamp"));
    csv.addAll(RatingLines.of(",", 50));
    List<Row> ratings = ratings(write("ratings.csv", csv)).collectAsList();
    assertThat(ratings).hasSize(50);
    assertThat(ratings.get(0).schema().fieldNames())
        .containsExactly("user", "item", "rating", "time");
    assertThat(ratings(write("ratings.dat", RatingLines.of("::", 50))).collectAsList())
        .isEqualTo(ratings);
    assertThat(ratings(write("u.data", RatingLines.of("\t", 50))).collectAsList())
        .isEqualTo(ratings);
  }

  @Test
  void halvesOfStarsAndLinesOfWindowsAreRead() throws IOException {
    Path file = write("ratings.csv", List.of("userId,movieId,rating,timestamp\r", "7,9,3.5,1\r"));
    assertThat(ratings(file).first().mkString(" ")).isEqualTo("7 9 3.5 1");
  }

  @Test
  void otherFilesAreNoRatings() throws IOException {
    Path file = write("movies.csv", List.of("movieId,title,genres"));
    assertThatThrownBy(() -> ratings(file))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("begins with 'movieId,title,genres'");
  }

  @Test
  void aLineWithoutARatingIsShown() throws IOException {
    for (String bad : List.of("1\t2", "1\t2\tgood\t880000000", "1\t\t3\t880000000")) {
      List<String> lines = new ArrayList<>(RatingLines.of("\t", 3));
      lines.add(bad);
      Path file = write("u.data", lines);
      assertThatThrownBy(() -> ratings(file).collectAsList())
          .hasStackTraceContaining("a line has another format: 1");
    }
  }

  private static Dataset<Row> ratings(Path file) {
    return MovieLensFile.read(spark, file.toString());
  }

  private Path write(String name, List<String> lines) throws IOException {
    return Files.writeString(folder.resolve(name), text(lines));
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
