/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.rows.UpdateChunk;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongUnaryOperator;
import scala.Tuple2;

/**
 * Requests as the slices that they ask for. A request says which slice, and its payload the place
 * that the slice is for.
 */
public final class SliceResponses implements Iterator<UpdateChunk> {
  /** Of slices made at a time. */
  private static final int MOST_BYTES = 1 << 20;

  private final Iterator<Tuple2<BatchKey, UpdateBatch>> requests;
  private final int window;
  private final LongUnaryOperator keys;
  private final Slices slices;
  private UpdateBatch request;
  private int done;

  /** Reads what a partition holds. */
  public interface Slices {
    /** The slices at {@code offsets[from .. to)}, one after the other, in a new array. */
    Object read(long[] offsets, int from, int to);
  }

  /**
   * @param sliceBytes bytes of a slice
   * @param keys the number in the whole tensor of the slice at an offset: answers of several
   *     partitions may leave in one batch, which carries slices of one number once
   */
  public SliceResponses(
      Iterator<Tuple2<BatchKey, UpdateBatch>> requests,
      int sliceBytes,
      LongUnaryOperator keys,
      Slices slices) {
    this.requests = requests;
    this.keys = keys;
    this.window = Math.max(1, MOST_BYTES / Math.max(1, sliceBytes));
    this.slices = slices;
  }

  @Override
  public boolean hasNext() {
    return (request != null && done < request.count()) || requests.hasNext();
  }

  @Override
  public UpdateChunk next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (request == null || done == request.count()) {
      request = requests.next()._2();
      done = 0;
    }
    int from = done;
    done = Math.min(request.count(), from + window);
    Object read = slices.read(request.offsets(), from, done);
    long[] places = Arrays.copyOfRange((long[]) request.payload(), from, done);
    return new UpdateChunk(places, done - from, read, keys(from));
  }

  private long[] keys(int from) {
    long[] numbers = new long[done - from];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = keys.applyAsLong(request.offsets()[from + i]);
    }
    return numbers;
  }
}
