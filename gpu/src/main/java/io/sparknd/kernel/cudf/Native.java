/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelErrors;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The functions of {@code native.cu}. Addresses are device addresses; rows and slots are int32.
 * Native functions of type {@code int} return 0, a CUDA error code, or -1 for an unsupported dtype
 * or step.
 */
final class Native {
  private Native() {}

  /**
   * @param error the result of a native function
   * @throws io.sparknd.tensor.SparkNdException unless it is 0
   */
  static void check(int error, String function) {
    if (error != 0) {
      throw KernelErrors.deviceFailed(function, error);
    }
  }

  /**
   * Loads the native library in resource {@code name} through a temporary copy, because a library
   * cannot be loaded from a jar.
   *
   * @throws io.sparknd.tensor.SparkNdException if the resource is missing or cannot be loaded
   */
  static void load(String name) {
    try (InputStream library = Native.class.getResourceAsStream(name)) {
      if (library == null) {
        throw KernelErrors.libraryMissing(name);
      }
      Path copy = Files.createTempFile("sparknd", ".so");
      try {
        Files.write(copy, library.readAllBytes());
        System.load(copy.toString());
      } finally {
        Files.delete(copy); // the loaded library stays mapped
      }
    } catch (IOException | UnsatisfiedLinkError e) {
      throw KernelErrors.libraryNotLoaded(e, name);
    }
  }

  /** Returns the number of {@code dtype} in {@code native.cu}; bool is stored as bytes 0 and 1. */
  static int number(DType dtype) {
    return switch (dtype) {
      case INT8 -> 0;
      case INT16 -> 1;
      case INT32 -> 2;
      case INT64 -> 3;
      case BOOL, UINT8 -> 4;
      case UINT16 -> 5;
      case UINT32 -> 6;
      case UINT64 -> 7;
      case FLOAT16 -> 8;
      case BFLOAT16 -> 9;
      case FLOAT32 -> 10;
      case FLOAT64 -> 11;
      case COMPLEX64 -> 12;
      case COMPLEX128 -> 13;
      case STRING -> throw new IllegalArgumentException(dtype.toString());
    };
  }

  /**
   * Returns the number in {@code native.cu} of a reduction that is its own {@link Reduction#step}.
   */
  static int number(Reduction step) {
    return switch (step) {
      case ADD -> 0;
      case SUB -> 1;
      case MUL -> 2;
      case DIV -> 3;
      case MIN -> 4;
      case MAX -> 5;
      case FMIN -> 6;
      case FMAX -> 7;
      case NONE -> 8; // only for scatterRows
      case MEAN -> throw new IllegalArgumentException(step.toString());
    };
  }

  /** Returns the scratch bytes that {@link #fold} needs. */
  static native long foldScratch(int count, int bits);

  /**
   * Folds row {@code i} of {@code updates} into row {@code keys[i]} of {@code target}. The updates
   * of a row are applied in the order of {@code i}.
   *
   * @param bits how many of the lowest bits of {@code keys} differ
   * @param width elements per row
   * @param scratch space for {@link #foldScratch} bytes
   */
  static native int fold(
      int dtype,
      int step,
      long target,
      long keys,
      int count,
      int bits,
      long updates,
      int width,
      long scratch,
      long stream);

  /**
   * Copies row {@code i} of {@code updates} to row {@code slots[i]} of {@code target}. If a slot
   * occurs more than once, its last row wins.
   *
   * @param last space for {@code targetRows} int32
   */
  static native int move(
      long target,
      long last,
      int targetRows,
      long slots,
      int count,
      long updates,
      long rowBytes,
      long stream);

  /** Copies row {@code slots[i]} of {@code source} to row {@code i} of {@code result}. */
  static native int gather(
      long source, long slots, int count, long result, long rowBytes, long stream);

  /**
   * Copies rows between arbitrary device addresses. {@code fromEach} is an array of one int64
   * address per row. If it is 0, rows are contiguous from {@code fromFirst} on. {@code toEach} and
   * {@code toFirst} work alike.
   */
  static native int carry(
      long fromEach,
      long fromFirst,
      long toEach,
      long toFirst,
      int count,
      long rowBytes,
      long stream);

  static native int copy(long target, long source, long bytes, long stream);

  /**
   * Computes the dimensions of tensors stored as nested lists, one tensor per row.
   *
   * @param offsets the offsets of each level, outermost first; at most 8 levels
   * @param valid the validity bitmap of the rows; 0 if all are valid
   * @param dims space for {@code [rows, rank]} int32
   * @param starts space for one int32 per row: the position of its first element
   * @param odd set to 1 if a row is not a tensor
   */
  static native int measure(
      long[] offsets, long valid, int rows, long dims, long starts, long odd, long stream);

  /**
   * Applies the updates of each row to its tensor, in their order.
   *
   * @param bytes bytes per element
   * @param target a {@link MeasuredRows#column}, as are {@code indices} and {@code updates}
   * @param depth the length of index tuples
   * @param negative how negative indices are handled: 0 rejects them, 1 counts them from the end, 2
   *     treats them as out of bounds
   * @param bad how out-of-bounds indices are handled: 0 rejects, 1 ignores, 2 clips them
   * @param odd set to 1 if shapes do not match or an index is rejected
   */
  static native int scatterRows(
      int dtype,
      int bytes,
      int step,
      int rows,
      long[] target,
      long[] indices,
      int indexBytes,
      int depth,
      int negative,
      int bad,
      long[] updates,
      long odd,
      long stream);

  /** Gathers the slices that the index tuples of each row name; ignored tuples yield zeros. */
  static native int gatherRows(
      int bytes,
      int rows,
      long[] result,
      long[] params,
      long[] indices,
      int indexBytes,
      int depth,
      int negative,
      int bad,
      long odd,
      long stream);

  /**
   * Reads dimensions from a column of arrays.
   *
   * @param dims space for {@code [rows, rank]} int32
   * @param odd set to 1 if a row has another rank or an invalid dimension
   */
  static native int dims(
      int rows, long[] shapes, int bytes, int rank, long dims, long odd, long stream);

  /**
   * Computes the offsets of the lists of one level.
   *
   * @param lists for each row, the position of its first list, {@code [rows + 1]}
   * @param inner for each row, the position of its first list of the next level, or of its first
   *     element
   * @param offsets space for one int32 more than there are lists
   */
  static native int offsets(
      int rows, long dims, int rank, int level, long lists, long inner, long offsets, long stream);

  static native int zero(long target, long bytes, long stream);

  /** Returns the address of a direct buffer. */
  static native long address(ByteBuffer buffer);
}
