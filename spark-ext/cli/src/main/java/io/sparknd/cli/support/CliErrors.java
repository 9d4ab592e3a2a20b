/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import static io.sparknd.tensor.ErrorCondition.CANNOT_READ_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_SETTING;
import static io.sparknd.tensor.ErrorCondition.PATH_EXISTS;
import static io.sparknd.tensor.ErrorCondition.STATEMENT_FAILED;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.brief;
import static io.sparknd.tensor.ErrorFactory.failedAttribute;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.failedState;
import static io.sparknd.tensor.ErrorFactory.file;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.AnalysisException;

/** Errors of the command line. */
public final class CliErrors {
  /** Characters of a shown line. */
  private static final int LINE = 200;

  private CliErrors() {}

  public static SparkNdException noClassesRequested(int classes) {
    return attribute(
        INVALID_SETTING.sub("NO_CLASSES_ASKED"),
        "--classes is <classes>; the counts need at least one class along each side",
        classes);
  }

  public static SparkNdException noSuchFile(Path path) {
    return file(
        CANNOT_READ_FILE.sub("NO_SUCH_FILE"), "file or directory <path> does not exist", path);
  }

  public static SparkNdException notADirectory(Path path) {
    return file(
        CANNOT_READ_FILE.sub("NOT_A_DIRECTORY"),
        "<path> is not a directory; pass an existing directory",
        path);
  }

  public static SparkNdException targetIsFile(Path path) {
    return file(
        PATH_EXISTS.sub("TARGET_IS_FILE"),
        "<path> is a file; a tensor is saved to a new directory, .npy or .arrow",
        path);
  }

  public static SparkNdException outputFormat(Path path, String extension) {
    return attribute(
        INVALID_SETTING.sub("OUTPUT_FORMAT"),
        "<path>: results are not written as .<extension>: name an .npy or .arrow file, or a new"
            + " directory, which holds a saved tensor",
        path,
        extension);
  }

  public static SparkNdException savedNeedsCluster(Path path) {
    return attribute(
        INVALID_SETTING.sub("SAVED_NEEDS_CLUSTER"),
        "<path> is a directory of blocks, which the engine 'local' neither reads nor "
            + "writes: use engine 'cluster', or an .npy file",
        path);
  }

  public static SparkNdException savedHasDtype(Path path, DType dtype) {
    return attribute(
        INVALID_SETTING.sub("SAVED_HAS_DTYPE"),
        "--dtype is <dtype>, which is for .npy files only; <path> stores its dtype: leave --dtype out",
        dtype,
        path);
  }

  public static SparkNdException noSuchExample(String name, List<String> known) {
    return attribute(
        INVALID_SETTING.sub("NO_SUCH_EXAMPLE"),
        "example '<name>' is unknown; use one of <known>",
        name,
        String.join(", ", known));
  }

  public static SparkNdException unknownRatings(String path, String line) {
    return attribute(
        CANNOT_READ_FILE.sub("UNKNOWN_RATINGS"),
        "<path> begins with '<line>', which is not a line of a MovieLens file; pass ratings.csv,"
            + " ratings.dat or u.data",
        path,
        brief(line));
  }

  public static SparkNdException malformedLine(String path, String line) {
    return attribute(
        CANNOT_READ_FILE.sub("MALFORMED_LINE"),
        "<path> has a line of another format: '<line>'; remove it or correct it",
        path,
        brief(line, LINE));
  }

  public static SparkNdException unreadableExamples(String path, AnalysisException cause) {
    return failedFile(
        cause,
        CANNOT_READ_FILE.sub("UNREADABLE_EXAMPLES"),
        "<path> cannot be read: <reason>",
        path,
        cause.getSimpleMessage());
  }

  public static SparkNdException tooFewExamples(long training, long heldOut) {
    return attribute(
        INVALID_SETTING.sub("TOO_FEW_EXAMPLES"),
        "<training> examples to train and <held> to evaluate a model are too few; both need some, of"
            + " each label if there are labels: pass more data",
        training,
        heldOut);
  }

  public static SparkNdException optionTooSmall(String option, int value, int least) {
    return attribute(
        INVALID_SETTING.sub("OPTION_TOO_SMALL"),
        "<option> is <value>; it must be at least <least>",
        option,
        value,
        least);
  }

  public static SparkNdException optionOutOfRange(
      String option, long value, long least, long most) {
    return attribute(
        INVALID_SETTING.sub("OPTION_OUT_OF_RANGE"),
        "<option> is <value>; it must be from <least> to <most>",
        option,
        value,
        least,
        most);
  }

  public static SparkNdException badMaster(String master, Exception cause) {
    return failedAttribute(
        cause,
        INVALID_SETTING.sub("BAD_MASTER"),
        "--master or spark.master is <master>, with which Spark cannot start: <reason>; pass a URL such as local[2] or"
            + " spark://HOST:7077",
        master,
        String.valueOf(cause.getMessage()));
  }

  public static SparkNdException exampleDirectory(String directory) {
    return attribute(
        PATH_EXISTS.sub("EXAMPLE_DIRECTORY"),
        "<directory> already exists, and the example would write into it: remove it, or"
            + " pass another with --dir",
        directory);
  }

  /** {@code problem} is inserted verbatim, so it may contain the per cent signs of SQL. */
  public static SparkNdException statementFailed(String place, String problem, Throwable cause) {
    return failedState(cause, STATEMENT_FAILED, "<place><problem>", place, problem);
  }
}
