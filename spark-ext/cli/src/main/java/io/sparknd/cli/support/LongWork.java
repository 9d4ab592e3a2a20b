/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * The progress of work that may be long: a bar on stderr, where a terminal is there to show it and
 * the work has gone on for a second. Thread-safe.
 */
public final class LongWork implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final String name;
  private final String unit;
  private final boolean shown = System.console() != null;
  private final long started = System.nanoTime();
  private ProgressBar bar;
  private long total;
  private long done;

  /**
   * @param name what is done
   * @param unit what is counted
   */
  public LongWork(String name, String unit) {
    this.name = name;
    this.unit = unit;
  }

  /** {@code more} steps are to be done. */
  public synchronized void expect(long more) {
    total += more;
    show();
  }

  /** One step is done. */
  public synchronized void step() {
    done++;
    show();
  }

  private void show() {
    if (bar == null && shown && System.nanoTime() - started > PATIENCE.toNanos()) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(name)
              .setUnit(" " + unit, 1)
              .setStyle(ProgressBarStyle.ASCII)
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
