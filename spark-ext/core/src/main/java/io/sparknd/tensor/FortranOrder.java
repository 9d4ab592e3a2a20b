/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/** Reorders elements whose first dimension varies fastest into row-major order. */
final class FortranOrder {
  /** Side of a transposed tile, small enough that its reads and writes both stay in cache. */
  private static final int TILE = 32;

  /** Copies one unit. */
  private interface Mover {
    void move(int from, int to);
  }

  private final int units;
  private final Mover mover;

  private FortranOrder(int units, Mover mover) {
    this.units = units;
    this.mover = mover;
  }

  /**
   * Returns a new array with the elements of {@code array} in row-major order.
   *
   * @param shape of rank 2 or more
   */
  static Object toRowMajor(DType dtype, Shape shape, Object array) {
    Object to = dtype.storage().allocate(dtype.storage().length(array));
    FortranOrder order = new FortranOrder(dtype.units(), mover(dtype.storage(), array, to));
    if (shape.elements() > 0) {
      order.move(shape);
    }
    return to;
  }

  /** For each position in the middle dimensions, transposes the first and last dimension. */
  private void move(Shape shape) {
    int last = shape.rank() - 1;
    int rows = (int) shape.dim(0);
    int columns = (int) shape.dim(last);
    Shape middle = shape.first(last).from(1);
    int planes = (int) middle.elements();
    for (int plane = 0; plane < planes; plane++) {
      int from = rows * fortranPosition(middle, plane);
      transpose(from, rows, rows * planes, plane * columns, columns, planes * columns);
    }
  }

  private static int fortranPosition(Shape shape, int rowMajorPosition) {
    long[] at = shape.coordinates(rowMajorPosition);
    long position = 0;
    for (int axis = at.length - 1; axis >= 0; axis--) {
      position = position * shape.dim(axis) + at[axis];
    }
    return (int) position;
  }

  private void transpose(int from, int rows, int fromStride, int to, int columns, int toStride) {
    for (int row = 0, rowEnd; row < rows; row = rowEnd) {
      rowEnd = row + Math.min(TILE, rows - row);
      for (int column = 0, columnEnd; column < columns; column = columnEnd) {
        columnEnd = column + Math.min(TILE, columns - column);
        for (int r = row; r < rowEnd; r++) {
          for (int c = column; c < columnEnd; c++) {
            moveElement(from + c * fromStride + r, to + r * toStride + c);
          }
        }
      }
    }
  }

  private void moveElement(int from, int to) {
    for (int unit = 0; unit < units; unit++) {
      mover.move(from * units + unit, to * units + unit);
    }
  }

  private static Mover mover(Storage storage, Object from, Object to) {
    return switch (storage) {
      case BYTE -> mover((byte[]) from, (byte[]) to);
      case SHORT -> mover((short[]) from, (short[]) to);
      case INT -> mover((int[]) from, (int[]) to);
      case LONG -> mover((long[]) from, (long[]) to);
      case FLOAT -> mover((float[]) from, (float[]) to);
      case DOUBLE -> mover((double[]) from, (double[]) to);
      case STRING -> mover((String[]) from, (String[]) to);
    };
  }

  private static Mover mover(byte[] from, byte[] to) {
    return (f, t) -> to[t] = from[f];
  }

  private static Mover mover(short[] from, short[] to) {
    return (f, t) -> to[t] = from[f];
  }

  private static Mover mover(int[] from, int[] to) {
    return (f, t) -> to[t] = from[f];
  }

  private static Mover mover(long[] from, long[] to) {
    return (f, t) -> to[t] = from[f];
  }

  private static Mover mover(float[] from, float[] to) {
    return (f, t) -> to[t] = from[f];
  }

  private static Mover mover(double[] from, double[] to) {
    return (f, t) -> to[t] = from[f];
  }

  private static Mover mover(String[] from, String[] to) {
    return (f, t) -> to[t] = from[f];
  }
}
