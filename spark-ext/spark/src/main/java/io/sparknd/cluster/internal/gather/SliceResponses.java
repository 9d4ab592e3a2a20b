/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Converts requests to the requested slices. The local number of a request names a slice, and its
 * payload is the place in the result that the slice is for.
 */
public final class SliceResponses implements Iterator<NumberedRows> {
  /** Bytes of slices read at a time. */
  private static final int MAX_BYTES = 1 << 20;

  private final Iterator<Tuple2<BatchKey, ShuffleBatch>> requests;
  private final int window;
  private final LongUnaryOperator keys;
  private final Slices slices;
  private @Nullable ShuffleBatch request;
  private int done;

  /** Reads the slices of a partition. */
  public interface Slices {
    /** Returns the slices at {@code locals[from .. to)}, back to back, in a new array. */
    Object read(long[] locals, int from, int to);
  }

  /**
   * @param sliceBytes bytes of a slice
   * @param keys maps a local number to the slice's number in the whole tensor; a batch may combine
   *     responses of several partitions and carries slices of equal number once
   */
  public SliceResponses(
      Iterator<Tuple2<BatchKey, ShuffleBatch>> requests,
      int sliceBytes,
      LongUnaryOperator keys,
      Slices slices) {
    this.requests = requests;
    this.keys = keys;
    this.window = Math.max(1, MAX_BYTES / Math.max(1, sliceBytes));
    this.slices = slices;
  }

  @Override
  public boolean hasNext() {
    return (request != null && done < request.count()) || requests.hasNext();
  }

  @Override
  public NumberedRows next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (request == null || done == request.count()) {
      request = requests.next()._2();
      done = 0;
    }
    ShuffleBatch request = Objects.requireNonNull(this.request);
    int from = done;
    done = Math.min(request.count(), from + window);
    Object read = slices.read(request.locals(), from, done);
    long[] places = Arrays.copyOfRange((long[]) request.payload(), from, done);
    return new NumberedRows(places, done - from, read, keys(request, from));
  }

  private long[] keys(ShuffleBatch request, int from) {
    long[] numbers = new long[done - from];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = keys.applyAsLong(request.locals()[from + i]);
    }
    return numbers;
  }
}
