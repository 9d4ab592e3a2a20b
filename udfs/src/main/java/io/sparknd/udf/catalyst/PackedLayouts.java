/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;

/**
 * Caches the layouts of recent shapes of one dtype, because rows tend to repeat shapes.
 * Thread-safe.
 */
final class PackedLayouts {
  private static final int CACHE_SIZE = 16;

  private final DType dtype;

  /** Layouts by hash of the dimensions. Concurrent overwrites cost only a recomputed layout. */
  private final PackedLayout[] cache = new PackedLayout[CACHE_SIZE];

  private volatile PackedLayout last;

  PackedLayouts(DType dtype) {
    this.dtype = dtype;
  }

  /** Returns the layout of {@code array}; null if the array is ragged or contains nulls. */
  PackedLayout of(UnsafeArrayData array, int rank) {
    PackedLayout layout = last;
    if (layout != null && layout.holds(array)) {
      return layout;
    }
    long[] dims = new long[rank];
    // in a ragged array, the dimensions of the first inner arrays may imply another size
    if (!measure(array, dims)
        || PackedLayout.bytes(dtype.bytes(), dims) != array.getSizeInBytes()) {
      return null;
    }
    layout = of(dims);
    return layout.holds(array) ? layout : null;
  }

  /** Returns the layout for {@code shape}, of rank 1 or more. */
  PackedLayout of(Shape shape) {
    PackedLayout layout = last;
    return layout != null && layout.shape().equals(shape) ? layout : of(shape.dims());
  }

  private PackedLayout of(long[] dims) {
    int place = Math.floorMod(Arrays.hashCode(dims), CACHE_SIZE);
    PackedLayout layout = cache[place];
    if (layout == null || !Arrays.equals(layout.shape().dims(), dims)) {
      layout = PackedLayout.of(dtype, Shape.of(dims));
      cache[place] = layout;
    }
    last = layout;
    return layout;
  }

  /**
   * Measures the first array of each level; dimensions below an empty array stay 0.
   *
   * @return whether none of these arrays is null
   */
  private static boolean measure(UnsafeArrayData array, long[] dims) {
    Object base = array.getBaseObject();
    long start = array.getBaseOffset();
    for (int level = 0; level < dims.length; level++) {
      dims[level] = Platform.getLong(base, start);
      if (dims[level] == 0) {
        return true;
      }
      if (level < dims.length - 1) {
        long bits = start + Long.BYTES;
        if ((Platform.getLong(base, bits) & 1) != 0) {
          return false;
        }
        int header = UnsafeArrayData.calculateHeaderPortionInBytes((int) dims[level]);
        // the upper half of the word is the inner array's position relative to the outer array
        start += Platform.getLong(base, start + header) >>> Integer.SIZE;
      }
    }
    return true;
  }
}
