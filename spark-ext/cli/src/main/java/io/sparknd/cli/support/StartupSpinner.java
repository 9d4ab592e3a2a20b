/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressState;
import org.apache.spark.package$;
import org.jspecify.annotations.Nullable;

/**
 * A line on stderr that says what the command waits for while Spark starts: {@code | starting Spark
 * 4.1.3 ... 2 s}. Only a terminal shows it, and only without {@code --verbose}, whose log it would
 * garble. Closing it erases the line.
 */
public final class StartupSpinner implements AutoCloseable {
  private static final String FRAMES = "|/-\\";
  private static final int FRAME_MILLIS = 100;

  /** Columns of a terminal that are certainly there. */
  private static final int WIDTH = 79;

  private final @Nullable ProgressBar bar;

  private StartupSpinner(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * Shows what {@code master} is waited for.
   *
   * @param master as {@code spark.master}, such as {@code local[2]}
   */
  public static StartupSpinner show(String master) {
    boolean shown = StandardError.showsProgress() && LogVerbosity.isQuiet();
    return shown ? on(System.err, text(master)) : new StartupSpinner(null);
  }

  static String text(String master) {
    String starting = "starting Spark " + package$.MODULE$.SPARK_VERSION();
    return master.startsWith("local") ? starting : starting + " on " + master;
  }

  static StartupSpinner on(PrintStream out, String text) {
    return new StartupSpinner(
        new ProgressBarBuilder()
            .setTaskName(text)
            .setInitialMax(-1)
            .setUpdateIntervalMillis(FRAME_MILLIS)
            .continuousUpdate()
            .setRenderer(StartupSpinner::render)
            .setConsumer(new SpinnerLine(out))
            .clearDisplayOnFinish()
            .build());
  }

  private static String render(ProgressState state, int most) {
    long millis = state.getElapsedAfterStart().toMillis();
    char frame = FRAMES.charAt((int) (millis / FRAME_MILLIS % FRAMES.length()));
    String line = frame + " " + state.getTaskName() + " ... " + millis / 1000 + " s";
    return line.substring(0, Math.min(line.length(), most));
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }

  /** Writes over one line of a terminal. */
  private record SpinnerLine(PrintStream out) implements ProgressBarConsumer {
    private static final String ERASE = "\r\u001b[K";

    @Override
    public int getMaxRenderedLength() {
      return WIDTH;
    }

    @Override
    public void accept(String line) {
      out.print(ERASE + line);
      out.flush();
    }

    @Override
    public void clear() {
      accept("");
    }

    @Override
    public void close() {
      out.flush();
    }
  }
}
