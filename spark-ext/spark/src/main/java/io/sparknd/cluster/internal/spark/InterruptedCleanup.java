/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import org.apache.spark.broadcast.Broadcast;

/**
 * Releases what a job leaves, in a thread that may be interrupted. There, Spark's block manager
 * throws an InterruptedException before it releases anything, which also hides the failure that led
 * to the cleanup.
 */
public final class InterruptedCleanup {
  private InterruptedCleanup() {}

  /** Destroys the broadcasts of a job that has ended, as {@link #run} does. */
  public static void destroy(Broadcast<?>... broadcasts) {
    run(() -> List.of(broadcasts).forEach(Broadcast::destroy));
  }

  /** Runs {@code cleanup}. If the thread is interrupted, it is again afterwards. */
  public static void run(Runnable cleanup) {
    boolean isInterrupted = Thread.interrupted();
    try {
      cleanup.run();
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
