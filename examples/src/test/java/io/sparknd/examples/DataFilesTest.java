/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.embedding.EmbeddingKeys;
import io.sparknd.examples.clicks.ClickSplit;
import io.sparknd.examples.clicks.CriteoFile;
import io.sparknd.examples.clicks.CriteoLines;
import io.sparknd.examples.ratings.MovieLensFile;
import io.sparknd.examples.ratings.RatingLines;
import io.sparknd.examples.ratings.RatingSplit;
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
          .hasRootCauseInstanceOf(SparkNdException.class)
          .hasStackTraceContaining(path + " has a line of another format: " + shown(bad));
    }
  }

  /** Columns are separated by commas if all of them could be read. */
  private static String shown(String line) {
    return "'" + line.substring(0, 1).replace('\t', ',');
  }

  /** A line without a label. */
  private static String line() {
    return "\t5\t".concat("6\t".repeat(12)) + "68fd1e64" + CATEGORIES;
  }

  @Test
  void daysAreInTheOrderOfTheirNumbers() throws IOException {
    Path days = Files.createDirectory(folder.resolve("10 days [a]"));
    List<String> lines = CriteoLines.of(4);
    Files.writeString(days.resolve("_SUCCESS"), "");
    Files.writeString(days.resolve("day_10"), text(lines.subList(2, 4)));
    Files.writeString(days.resolve("day_9"), text(lines.subList(0, 2)));
    Path file = Files.writeString(folder.resolve("train.txt"), text(lines));
    String path = folder.resolve("10 days ?a?").toString();
    assertThat(CriteoFile.read(spark, path).collectAsList())
        .isEqualTo(CriteoFile.read(spark, file.toString()).collectAsList());
  }

  @Test
  void hugeIntegersOfCriteoAreRead() throws IOException {
    String integers = "-2147483649\t2147483648\t9223372036854775807" + "\t1".repeat(10);
    Path file = write("train.txt", List.of("0\t" + integers + "\t68fd1e64" + CATEGORIES));
    assertThat(CriteoFile.read(spark, file.toString()).first().<Long>getList(1))
        .startsWith(keys("I1 -2147483649", "I2 log 461", "I3 log 1906"));
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
    for (String bad :
        List.of(
            "1\t2",
            "1\t2\tgood\t880000000",
            "1\t\t3\t880000000",
            "1\t2\tNaN\t880000000",
            "1\t2\t1e39\t880000000",
            "1\t2147483648\t3\t880000000")) {
      List<String> lines = new ArrayList<>(RatingLines.of("\t", 3));
      lines.add(bad);
      Path file = write("u.data", lines);
      assertThatThrownBy(() -> ratings(file).collectAsList())
          .hasRootCauseInstanceOf(SparkNdException.class)
          .hasStackTraceContaining(file + " has a line of another format: '1");
    }
  }

  @Test
  void idsAreAnyIntegers() throws IOException {
    Path file = write("u.data", List.of("2147483647\t2147483647\t4\t0", "-2147483648\t-1\t2\t0"));
    assertThat(ratings(file).collectAsList())
        .extracting(row -> row.mkString(" "))
        .containsExactly("2147483647 2147483647 4.0 0", "-2147483648 -1 2.0 0");
  }

  @Test
  void filesThatAreMissingOrEmptyAreErrors() throws IOException {
    String missing = folder.resolve("missing").toString();
    Path empty = write("u.data", List.of());
    for (String path : List.of(missing, empty.toString())) {
      assertThatThrownBy(() -> MovieLensFile.read(spark, path))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(path);
    }
    assertThatThrownBy(() -> CriteoFile.read(spark, missing))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(missing);
    assertThat(CriteoFile.read(spark, empty.toString()).collectAsList()).isEmpty();
  }

  @Test
  void tooFewExamplesAreAnError() throws IOException {
    Path header = write("ratings.csv", List.of("userId,movieId,rating,timestamp"));
    assertThatThrownBy(() -> RatingSplit.of(ratings(header)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("0 examples to train");
    for (int count : new int[] {0, 1, 3}) {
      Path file = Files.write(folder.resolve("train.txt"), CriteoLines.of(count));
      assertThatThrownBy(() -> ClickSplit.of(CriteoFile.read(spark, file.toString())))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("examples to train");
    }
  }

  private static Dataset<Row> ratings(Path file) {
    return MovieLensFile.read(spark, file.toString());
  }

  private Path write(String name, List<String> lines) throws IOException {
    return Files.write(folder.resolve(name), lines);
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
