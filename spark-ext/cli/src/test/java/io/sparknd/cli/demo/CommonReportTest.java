/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the comparison of two results in the demo's report. */
class CommonReportTest {
  private final StringWriter text = new StringWriter();
  private final CommonReport report = new CommonReport(new TextReport(new PrintWriter(text)));

  @Test
  void firstDifferentElementIsReported() {
    boolean identical =
        report.check(List.of(result("same", 1, 2, 3, 4), result("counts", 1, 2, 7, 8)));
    assertThat(identical).isFalse();
    assertThat(text.toString())
        .contains("counts[1, 0] is 7 on the cluster and 3 from the local kernel")
        .contains("1 of 2 tensors differ from the local kernel")
        .doesNotContain("bit for bit");
  }

  @Test
  void zerosOfDifferentSignDiffer() {
    Tensor plus = Tensor.of(Shape.of(1), 0.0f);
    Tensor minus = Tensor.of(Shape.of(1), -0.0f);
    assertThat(report.check(List.of(new CheckedTensor("sum", "", null, minus, plus)))).isFalse();
    assertThat(text.toString()).contains("sum[0] is -0.0 on the cluster and 0.0 from the local");
  }

  @Test
  void equalTensorsAreIdentical() {
    assertThat(report.check(List.of(result("counts", 1, 2, 3, 4)))).isTrue();
    assertThat(text.toString()).contains("identical to the local kernel, bit for bit");
  }

  private static CheckedTensor result(String name, int... collected) {
    Shape shape = Shape.of(2, 2);
    Tensor local = Tensor.of(shape, 1, 2, 3, 4);
    return new CheckedTensor(name, "made", null, Tensor.of(shape, collected), local);
  }
}
