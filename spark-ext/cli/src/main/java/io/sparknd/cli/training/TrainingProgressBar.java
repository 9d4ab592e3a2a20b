/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import io.sparknd.embedding.TrainedStep;
import io.sparknd.embedding.TrainingListener;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on stderr for a training: steps, steps per second and mean loss per example. Pass
 * it to {@code Training.reportTo}.
 */
public final class TrainingProgressBar implements TrainingListener {
  private final PrintStream out;
  private @Nullable ProgressBar bar;

  public TrainingProgressBar() {
    this(System.err);
  }

  TrainingProgressBar(PrintStream out) {
    this.out = out;
  }

  @Override
  public void stepped(TrainedStep step, long end) {
    if (bar == null) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("training")
              .setUnit(" steps", 1)
              .setInitialMax(end)
              .startsFrom(step.step(), Duration.ZERO)
              .setConsumer(new ConsoleProgressBarConsumer(out))
              .setStyle(ProgressBarStyle.ASCII)
              .showSpeed()
              .build();
    }
    bar.stepTo(step.step() + 1);
    bar.setExtraMessage(String.format(" loss %.4f", step.loss().mean()));
  }

  @Override
  public void ended() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
