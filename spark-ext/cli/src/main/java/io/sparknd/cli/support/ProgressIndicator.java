/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of long work as a bar on stderr. The bar appears after one second, and only on
 * a terminal. Thread-safe.
 */
public final class ProgressIndicator implements AutoCloseable {
  private static final Duration SHOW_AFTER = Duration.ofSeconds(1);

  private final String name;
  private final String unit;
  private final boolean shown = StandardError.showsProgress();
  private final long started = System.nanoTime();
  private @Nullable ProgressBar bar;
  private long total;
  private long done;

  /**
   * @param name of the work
   * @param unit of the steps
   */
  public ProgressIndicator(String name, String unit) {
    this.name = name;
    this.unit = unit;
  }

  /** Adds {@code more} steps to the total. */
  public synchronized void expect(long more) {
    total += more;
    show();
  }

  /** Counts one step as done. */
  public synchronized void step() {
    done++;
    show();
  }

  private void show() {
    if (bar == null && shown && System.nanoTime() - started > SHOW_AFTER.toNanos()) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(name)
              .setUnit(" " + unit, 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(System.err))
              .clearDisplayOnFinish()
              .build();
    }
    if (bar != null) {
      bar.maxHint(total);
      bar.stepTo(done);
    }
  }

  /** Removes the bar. */
  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
