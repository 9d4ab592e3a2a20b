/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.check.CaseFiles;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the output and exit codes of {@code sparknd check}. */
class CheckTest {
  @TempDir Path directory;

  private CliRun check(Object... options) {
    Object[] arguments = new Object[options.length + 4];
    arguments[0] = "check";
    arguments[1] = directory;
    arguments[2] = "--partitions";
    arguments[3] = "1,2";
    System.arraycopy(options, 0, arguments, 4, options.length);
    return CliRun.of(arguments);
  }

  private static CaseFiles good() {
    return CaseFiles.of("tensor_scatter_nd_add")
        .data(Tensor.of(Shape.of(3), 1, 2, 3))
        .indices(Tensor.of(Shape.of(1, 1), 1))
        .updates(Tensor.of(Shape.of(1), 5))
        .expected(Tensor.of(Shape.of(3), 1, 7, 3));
  }

  private static CaseFiles refused() {
    return good()
        .indices(Tensor.of(Shape.of(1, 1), 3))
        .attribute("expect_error", true)
        .attribute("error", Map.of("must_name", List.of("indices[0]", "[3]")));
  }

  @Test
  void casesAtAnyDepthAreRun() {
    good().write(directory, "a/b/good");
    refused().write(directory, "refused");

    CliRun run = check();

    assertThat(run.lastLine()).isEqualTo("2 passed, 0 failed, 0 skipped");
    assertThat(run.code()).isZero();
  }

  @Test
  void casesBehindLinksAreNeverLeftOut() throws IOException {
    good().write(directory, "cases/good");
    Path searched = Files.createDirectory(directory.resolve("searched"));
    Files.createSymbolicLink(searched.resolve("linked"), directory.resolve("cases/good"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), searched);

    CliRun run = CliRun.of("check", link, "--engine", "local");

    assertThat(run.lastLine()).isEqualTo("1 passed, 0 failed, 0 skipped");
    assertThat(run.code()).isZero();
  }

  @Test
  void linksInACircleHideNoCase() throws IOException {
    good().write(directory, "a/good");
    good().write(directory, "b/good");
    Files.createSymbolicLink(directory.resolve("a/again"), directory);

    CliRun run = check("--engine", "local");

    assertThat(run.lastLine()).isEqualTo("2 passed, 0 failed, 0 skipped");
    assertThat(run.code()).isZero();
  }

  @Test
  void aWrongExpectationPrintsTheFirstDifference() {
    good().expected(Tensor.of(Shape.of(3), 1, 8, 3)).write(directory, "wrong");

    CliRun run = check();

    assertThat(run.out())
        .contains("FAILED wrong")
        .contains("1 of 3 elements differ, the first at [1]: expected 8, actual 7")
        .contains("expected int32[3] [1, 8, 3]")
        .contains("actual   int32[3] [1, 7, 3]");
    assertThat(run.lastLine()).isEqualTo("0 passed, 1 failed, 0 skipped");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void clusterEngineAloneFindsAWrongExpectation() {
    good().expected(Tensor.of(Shape.of(3), 1, 8, 3)).write(directory, "wrong");

    CliRun run = check("--engine", "cluster");

    assertThat(run.out()).contains("cluster, 1 partitions", "expected 8, actual 7");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void unknownOperatorsAndKeysAreSkippedWithAReason() {
    good().attribute("op", "scatter_sideways").write(directory, "op");
    good().attribute("colour", "red").write(directory, "key");
    good().attribute("compare", "roughly").write(directory, "compare");
    good().attribute("dtypes", Map.of("data", "float8e4m3fn")).write(directory, "dtype");

    CliRun run = check("--engine", "local");

    assertThat(run.out())
        .contains("skipped op: unknown op 'scatter_sideways'")
        .contains("skipped key: unknown key 'colour'")
        .contains("skipped compare: unknown compare 'roughly'")
        .contains("skipped dtype: dtypes.data: dtype 'float8e4m3fn' is unknown");
    assertThat(run.lastLine()).isEqualTo("0 passed, 0 failed, 4 skipped");
    assertThat(run.code()).isZero();
  }

  @Test
  void malformedCasesFailAndSayWhy() throws IOException {
    good().write(directory, "json");
    Files.writeString(directory.resolve("json/attrs.json"), "{\"op\": ");
    good().attribute("batch_dims", "two").attribute("op", "gather_nd").write(directory, "type");
    good().write(directory, "missing");
    Files.delete(directory.resolve("missing/updates.npy"));
    good().write(directory, "npy");
    Files.writeString(directory.resolve("npy/data.npy"), "no");

    CliRun run = check("--engine", "local");

    assertThat(run.out())
        .contains("attrs.json is not JSON")
        .contains("batch_dims is \"two\", not an integer")
        .contains("there is no updates.npy")
        .contains("data.npy is not an .npy file");
    assertThat(run.lastLine()).isEqualTo("0 passed, 4 failed, 0 skipped");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void errorsMustBeTheExpectedOnes() {
    good().attribute("expect_error", true).write(directory, "none");
    refused()
        .attribute("error", Map.of("must_name", List.of("indices[5]")))
        .write(directory, "other");
    refused().attribute("expect_error", false).write(directory, "unexpected");

    CliRun run = check();

    assertThat(run.out())
        .contains("expected an error that names []")
        .contains("the error message lacks 'indices[5]'")
        .contains("actual   the error indices[0] = [3] is out of bounds for shape [3]");
    assertThat(run.lastLine()).isEqualTo("0 passed, 3 failed, 0 skipped");
  }

  @Test
  void optionalCasesRunOnlyOnRequest() {
    good().attribute("optional", true).write(directory, "quirk");

    assertThat(check("--engine", "local").lastLine()).isEqualTo("0 passed, 0 failed, 1 skipped");
    assertThat(check("--engine", "local", "--optional", "run").lastLine())
        .isEqualTo("1 passed, 0 failed, 0 skipped");
  }

  @Test
  void eachKernelCanBeSelected() {
    good().write(directory, "good");

    assertThat(check("--engine", "local", "--kernel", "all").lastLine())
        .isEqualTo("1 passed, 0 failed, 0 skipped");
  }

  @Test
  void aDirectoryWithoutCasesIsAFailure() {
    CliRun run = check();

    assertThat(run.err()).contains("no attrs.json found under " + directory);
    assertThat(run.lastLine()).isEqualTo("0 passed, 0 failed, 0 skipped");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void missingDirectoryIsRejected() {
    CliRun run = CliRun.of("check", directory.resolve("gone"));

    assertThat(run.err()).startsWith("sparknd: ").contains("gone is not a directory");
    assertThat(run.code()).isEqualTo(1);
  }
}
