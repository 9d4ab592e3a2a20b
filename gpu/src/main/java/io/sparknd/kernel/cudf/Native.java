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
 * The functions of {@code native.cu}. Addresses are of the device's memory; rows and slots are
 * int32. Each returns 0, or the number of CUDA's error.
 */
final class Native {
  private Native() {}

  /**
   * @param error what a function returned
   * @throws io.sparknd.tensor.SparkNdException unless it is 0
   */
  static void check(int error, String function) {
    if (error != 0) {
      throw KernelErrors.deviceFailed(function, error);
    }
  }

  /**
   * Loads the library that is the resource {@code name}, from a copy of it: a jar cannot be loaded
   * from.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is not there or cannot be loaded
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
        Files.delete(copy); // what is loaded stays
      }
    } catch (IOException | UnsatisfiedLinkError e) {
      throw KernelErrors.libraryNotLoaded(e, name);
    }
  }

  /** The number of {@code dtype} in {@code native.cu}; bool is the bytes 0 and 1. */
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

  /** The number in {@code native.cu} of a reduction that is its own {@link Reduction#step}. */
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
      case NONE -> 8; // of scatterRows alone
      case MEAN -> throw new IllegalArgumentException(step.toString());
    };
  }

  /** Bytes that {@link #sort} needs. */
  static native long sortScratch(int count, int bits);

  /**
   * Sorts {@code keys[0 .. count)}, of which only the lowest {@code bits} are looked at; equal ones
   * stay in their order.
   *
   * @param numbers room for {@code count} rows
   * @param order the row of {@code keys} that each of {@code sortedKeys} comes from
   */
  static native int sort(
      long keys,
      long numbers,
      long sortedKeys,
      long order,
      int count,
      int bits,
      long scratch,
      long scratchBytes,
      long stream);

  /**
   * Folds row {@code order[i]} of {@code updates} into row {@code keys[i]} of {@code target}, in
   * the order of {@code i}; {@code keys} are sorted.
   *
   * @param width elements of a row
   */
  static native int fold(
      int dtype,
      int step,
      long target,
      long keys,
      long order,
      int count,
      long updates,
      int width,
      long stream);

  /**
   * Row {@code i} of {@code updates} becomes row {@code slots[i]} of {@code target}; of several for
   * one row, the last does.
   *
   * @param last room for {@code targetRows} rows
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

  /** Row {@code slots[i]} of {@code source} becomes row {@code i} of {@code result}. */
  static native int gather(
      long source, long slots, int count, long result, long rowBytes, long stream);

  /**
   * Copies rows that lie anywhere on the device. Addresses of rows are int64; {@code fromEach} has
   * one for each row, or is 0 where rows follow each other from {@code fromFirst} on; so has {@code
   * toEach}.
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
   * The dimensions of tensors that are rows of lists.
   *
   * @param offsets of each level, the outermost first; 8 at most
   * @param valid a bit for each row; 0 where all are
   * @param dims room for {@code [rows, rank]}
   * @param starts room for a number a row: where its elements begin
   * @param odd becomes 1 if a row is no tensor
   */
  static native int measure(
      long[] offsets, long valid, int rows, long dims, long starts, long odd, long stream);

  /**
   * Folds the updates of each row into its tensor, in their order; or puts them there.
   *
   * @param bytes of an element
   * @param target {@link MeasuredRows#column}, as are {@code indices} and {@code updates}
   * @param depth of index tuples
   * @param negative what a negative index is: 0 refused, 1 from the end, 2 out of bounds
   * @param bad what an index out of bounds is: 0 refused, 1 ignored, 2 clipped
   * @param odd becomes 1 if shapes do not fit or an index is refused
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

  /** The slices that the index tuples of each row name; zeros for those that are ignored. */
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
   * Dimensions from a column of arrays of them.
   *
   * @param dims room for {@code [rows, rank]}
   * @param odd becomes 1 if a row has another rank, or what is no dimension
   */
  static native int dims(
      int rows, long[] shapes, int bytes, int rank, long dims, long odd, long stream);

  /**
   * The offsets of lists of one level.
   *
   * @param lists where each row's lists begin, {@code [rows + 1]}
   * @param inner where the lists of the next level, or the elements, of each row begin
   * @param offsets room for one more than there are lists
   */
  static native int offsets(
      int rows, long dims, int rank, int level, long lists, long inner, long offsets, long stream);

  static native int zero(long target, long bytes, long stream);

  /** Where a direct buffer begins. */
  static native long address(ByteBuffer buffer);
}
