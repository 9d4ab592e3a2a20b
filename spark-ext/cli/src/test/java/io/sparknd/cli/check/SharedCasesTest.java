/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every engine on the worked examples of the TensorFlow and ONNX documents. */
class SharedCasesTest {
  private static final CaseRunner RUNNER = CaseRuns.everywhere(1, 3, 8);

  static List<CaseFolder> cases() {
    return CaseFolder.below(Page.ROOT.resolve("spark-ext/core/src/test/resources/cases"));
  }

  @Test
  void allAreFound() {
    assertThat(cases()).hasSize(45);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void passesOnEveryEngine(CaseFolder folder) {
    assertThat(RUNNER.run(folder)).isEqualTo(new CaseVerdict.Passed());
  }
}
