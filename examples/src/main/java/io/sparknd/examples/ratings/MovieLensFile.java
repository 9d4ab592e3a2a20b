/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.examples.support.CheckedLines;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Ratings in a format of MovieLens (<a
 * href="https://grouplens.org/datasets/movielens/">grouplens.org/datasets/movielens</a>), told
 * apart by the first line. Each has the columns user, movie, rating, and seconds since 1970.
 */
public enum MovieLensFile {
  /** {@code ratings.csv} of ml-latest, ml-20m, ml-25m and ml-32m, with a header. */
  CSV(",", "true"),
  /** {@code ratings.dat} of ml-1m and ml-10m: {@code 1::1193::5::978300760}. */
  DAT("::", "false"),
  /** {@code u.data} of ml-100k, with tabs. */
  TABS("\t", "false");

  private static final String COLUMNS = "user INT, item INT, rating FLOAT, time BIGINT";

  /** NaN is greater than infinity. */
  private static final String VALID =
      "user IS NOT NULL AND item IS NOT NULL AND abs(rating) < float('infinity')";

  private final String separator;
  private final String header;

  MovieLensFile(String separator, String header) {
    this.separator = separator;
    this.header = header;
  }

  /**
   * Reads ratings with their own ids.
   *
   * @param path a file or folder, also compressed, in any file system that Spark reads
   * @return {@code user}, {@code item}, {@code rating} and {@code time}; an error shows a line of
   *     another format when it is read
   * @throws io.sparknd.tensor.SparkNdException if the path does not exist, or its first line has
   *     none of the formats
   */
  public static Dataset<Row> read(SparkSession spark, String path) {
    List<String> first = CheckedLines.opened(path, () -> spark.read().textFile(path).takeAsList(1));
    MovieLensFile format = of(path, first.isEmpty() ? "" : first.get(0));
    Dataset<Row> lines =
        CheckedLines.reader(spark, COLUMNS, format.separator)
            .option("header", format.header)
            .csv(path);
    return CheckedLines.check(lines, path, "rating", VALID);
  }

  /** Returns the format of a file by its first line. */
  static MovieLensFile of(String path, String line) {
    if (line.startsWith("userId,")) {
      return CSV;
    }
    for (MovieLensFile format : new MovieLensFile[] {DAT, TABS}) {
      if (line.split(format.separator, -1).length == 4) {
        return format;
      }
    }
    throw CliErrors.unknownRatings(path, line);
  }
}
