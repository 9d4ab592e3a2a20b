/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.embedding.Loss;
import io.sparknd.embedding.Trained;
import io.sparknd.embedding.TrainedStep;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the SVG chart of training losses. */
class LossChartTest {
  private static final Trained TRAINED =
      new Trained(
          null,
          List.of(
              new TrainedStep(0, new Loss(30, 10), 0.1), new TrainedStep(1, new Loss(20, 10), 0.2)),
          0.2);

  @TempDir private Path directory;

  @Test
  void lossesAreDrawnAsSvg() {
    Path svg = directory.resolve("loss.svg");
    LossChart.of(TRAINED).write(svg);
    assertThat(svg).content().contains("<svg", "<path", "</svg>");
  }

  @Test
  void missingParentFolderIsRejected() {
    LossChart chart = LossChart.of(TRAINED);
    assertThatThrownBy(() -> chart.write(directory.resolve("no/loss.svg")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("its directory does not exist");
  }
}
