/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** An iterator that makes each batch when it is requested. */
public abstract class BatchIterator implements Iterator<Tuple2<BatchKey, ShuffleBatch>> {
  private @Nullable Tuple2<BatchKey, ShuffleBatch> next;

  /** Makes the next batch; null at the end. */
  protected abstract @Nullable Tuple2<BatchKey, ShuffleBatch> advance();

  @Override
  public final boolean hasNext() {
    next = next == null ? advance() : next;
    return next != null;
  }

  @Override
  public final Tuple2<BatchKey, ShuffleBatch> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Tuple2<BatchKey, ShuffleBatch> batch = Objects.requireNonNull(next);
    next = null;
    return batch;
  }
}
