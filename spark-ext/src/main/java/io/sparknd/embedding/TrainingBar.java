/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar that is shown from the first step to the end. */
final class TrainingBar implements TrainingListener {
  private ProgressBar bar;

  @Override
  public void stepped(TrainedStep step, long end) {
    if (bar == null) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("training")
              .setUnit(" steps", 1)
              .setInitialMax(end)
              .startsFrom(step.step(), java.time.Duration.ZERO)
              .setStyle(ProgressBarStyle.ASCII)
              .showSpeed()
              .build();
    }
    bar.stepTo(step.step() + 1);
    bar.setExtraMessage(String.format("loss %.4f", step.loss().mean()));
  }

  @Override
  public void ended() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
