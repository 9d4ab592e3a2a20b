/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.metrics.FoldListener;
import java.io.Serializable;

/**
 * How the tasks of a scatter write blocks, and who is told.
 *
 * @param listener notified at the end of each task
 */
public record FoldOptions(Blocks blocks, FoldListener listener) implements Serializable {
  /** A new version that shares untouched blocks, without a listener. */
  public static final FoldOptions NEW_VERSION =
      new FoldOptions(Blocks.COPY_ON_WRITE, FoldListener.NONE);

  /** Overwrites blocks, without a listener. */
  public static final FoldOptions IN_PLACE = new FoldOptions(Blocks.IN_PLACE, FoldListener.NONE);

  /** What happens to a block that updates name. */
  public enum Blocks {
    COPY_ON_WRITE,
    /** For blocks that only this scatter uses. The shared fill array is copied all the same. */
    IN_PLACE
  }
}
