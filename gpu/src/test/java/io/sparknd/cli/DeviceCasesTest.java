/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** All shared cases on the kernels of this module, in the local and the cluster engine. */
class DeviceCasesTest {
  private static final Path CASES = Page.ROOT.resolve("spark-ext/core/src/test/resources/cases");

  @Test
  void allCasesPass() {
    String kernel = System.getProperty("sparknd.test.kernels");
    CliRun run = CliRun.of("check", CASES, "--kernel", kernel, "--partitions", "3");
    assertThat(run.lastLine()).as(run.out()).contains(" 0 failed, 0 skipped");
    assertThat(run.code()).isZero();
  }
}
