/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Creates a file when work is under way, as a signal to the script; counts losses. */
final class Signal extends SparkListener {
  private final Path file;
  private final AtomicBoolean isArmed = new AtomicBoolean();
  private final AtomicInteger removed = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  Signal(Path file) {
    this.file = file;
  }

  /** Creates the file when the next task ends. */
  void arm() {
    isArmed.set(true);
  }

  /** The number of executors lost so far. */
  int lost() {
    return removed.get();
  }

  /** The number of tasks failed so far. */
  int failed() {
    return failed.get();
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd task) {
    if (task.taskInfo().failed()) {
      failed.incrementAndGet();
    }
    if (isArmed.getAndSet(false)) {
      try {
        Files.createFile(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
    removed.incrementAndGet();
  }
}
