/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.examples.support.CheckedLines;
import java.math.BigInteger;
import java.net.URI;
import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Click logs in the format of Criteo's Display Advertising Challenge (<a
 * href="https://www.kaggle.com/c/criteo-display-ad-challenge">Kaggle, 2014</a>): lines in the order
 * of time, without a header, with tabs between the label, 13 integers and 26 hexadecimal values,
 * any of which but the label may be empty.
 *
 * <p>Each column is a field of one feature. Values of integer columns above 2 are put together by
 * the square of their logarithm, rounded down, as the winners of the challenge did (<a
 * href="https://github.com/ycjuan/kaggle-2014-criteo">ycjuan/kaggle-2014-criteo</a>, {@code
 * converters/common.py}); others are features of their own. An empty value is a feature of its
 * column.
 */
public final class CriteoFile {
  private static final int INTEGERS = 13;
  private static final int CATEGORIES = 26;

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern GLOB = Pattern.compile("[\\[\\]{}*?\\\\]");

  private static final StructType TYPE =
      StructType.fromDDL(
          "label INT NOT NULL, features ARRAY<BIGINT> NOT NULL, position BIGINT NOT NULL");

  private CriteoFile() {}

  /**
   * Reads examples with their positions in the log. A line of another format is an error that shows
   * it.
   *
   * @param path a file or folder, also compressed; files are in the order of their names, and
   *     numbers in names in that of the numbers: {@code day_9} is before {@code day_10}
   * @return {@code label}, {@code features} and {@code position}
   * @throws io.sparknd.tensor.SparkNdException if the path does not exist
   */
  public static Dataset<Row> read(SparkSession spark, String path) {
    DataFrameReader reader = CheckedLines.reader(spark, columns(), "\t");
    Dataset<Row> folder = CheckedLines.opened(path, () -> reader.csv(path));
    Dataset<Row> lines =
        Arrays.stream(folder.inputFiles())
            .sorted(Comparator.comparing(CriteoFile::order))
            .map(file -> reader.csv(literally(file)))
            .reduce(Dataset::union)
            .orElse(folder);
    return numbered(
        CheckedLines.check(lines, path, "label", "label IN (0, 1)")
            .selectExpr("label", features()));
  }

  private static String order(String file) {
    return NUMBER
        .matcher(file)
        .replaceAll(number -> "%020d".formatted(new BigInteger(number.group())));
  }

  /** Returns the path of a URI as a pattern that only it matches. */
  private static String literally(String uri) {
    return GLOB.matcher(new Path(URI.create(uri)).toString()).replaceAll("\\\\$0");
  }

  private static Dataset<Row> numbered(Dataset<Row> rows) {
    return rows.sparkSession()
        .createDataFrame(
            rows.javaRDD()
                .zipWithIndex()
                .map(at -> RowFactory.create(at._1.getInt(0), at._1.getSeq(1), at._2)),
            TYPE);
  }

  private static String columns() {
    return "label INT, "
        + names("I", INTEGERS, "%s BIGINT", ", ")
        + ", "
        + names("C", CATEGORIES, "%s STRING", ", ");
  }

  /** A key is the hash of a column's name and value, as of {@code EmbeddingKeys}. */
  private static String features() {
    String integer =
        "xxhash64(concat('%1$s', if(%1$s > 2, concat(' log ', floor(pow(ln(%1$s), 2))),"
            + " concat(' ', ifnull(string(%1$s), '')))))";
    String category = "xxhash64(concat('%1$s ', ifnull(%1$s, '')))";
    return "array("
        + names("I", INTEGERS, integer, ", ")
        + ", "
        + names("C", CATEGORIES, category, ", ")
        + ") AS features";
  }

  private static String names(String letter, int count, String format, String separator) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> String.format(format, letter + number))
        .collect(Collectors.joining(separator));
  }
}
