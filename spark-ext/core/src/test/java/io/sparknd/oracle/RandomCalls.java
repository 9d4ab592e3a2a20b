/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import io.sparknd.kernel.KernelData;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.HalfRounding;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random calls with matching shapes and dtypes. Most index values are in bounds. A call depends
 * only on the seed of its {@link Random}.
 */
public final class RandomCalls {
  private static final int MAX_ELEMENTS = 400;
  private static final List<DType> INTEGERS =
      Arrays.stream(DType.values()).filter(DType::isInteger).toList();
  private static final List<BadIndices> BAD =
      List.of(BadIndices.ERROR, BadIndices.IGNORE, BadIndices.CLIP);

  private RandomCalls() {}

  /** A scatter and its tensor. */
  public record ScatterCase(Tensor data, ScatterCall call) {}

  /** A gather and its tensor. */
  public record GatherCase(Tensor data, GatherCall call) {}

  /** Index values and the kind of indexing. */
  private record Where(Indexing indexing, Tensor indices) {}

  /** Returns a scatter of any kind, policy and reduction into a tensor of this dtype and rank. */
  public static ScatterCase scatter(DType dtype, int rank, Random random) {
    Tensor data = tensor(dtype, shape(rank, random), random);
    return new ScatterCase(data, scatter(data, random));
  }

  /** Returns a scatter of any kind, policy and reduction into {@code data}. */
  public static ScatterCall scatter(Tensor data, Random random) {
    return scatter(data, where(data.shape(), random), random);
  }

  /** Like {@link #scatter(DType, int, Random)}, by index tuples without batch dimensions. */
  public static ScatterCase tupleScatter(DType dtype, int rank, Random random) {
    Tensor data = tensor(dtype, shape(rank, random), random);
    return new ScatterCase(data, tupleScatter(data, random));
  }

  /** Returns a scatter into {@code data} by index tuples without batch dimensions. */
  public static ScatterCall tupleScatter(Tensor data, Random random) {
    return scatter(data, tuples(data.shape(), 0, random), random);
  }

  /** Returns a gather of any kind and policy from a tensor of this dtype and rank. */
  public static GatherCase gather(DType dtype, int rank, Random random) {
    Tensor data = tensor(dtype, shape(rank, random), random);
    return new GatherCase(data, gather(data, where(data.shape(), random), random));
  }

  /** Like {@link #gather(DType, int, Random)}, by index tuples without batch dimensions. */
  public static GatherCase tupleGather(DType dtype, int rank, Random random) {
    Tensor data = tensor(dtype, shape(rank, random), random);
    return new GatherCase(data, tupleGather(data, random));
  }

  /** Returns a gather from {@code data} by index tuples without batch dimensions. */
  public static GatherCall tupleGather(Tensor data, Random random) {
    return gather(data, tuples(data.shape(), 0, random), random);
  }

  /** Returns a tensor that includes special values. */
  public static Tensor tensor(DType dtype, Shape shape, Random random) {
    int units = (int) shape.elements() * dtype.units();
    return Tensor.wrap(dtype, shape, KernelData.random(dtype, units, random));
  }

  /** Returns a small shape of this rank. Some shapes have a dimension of size 0. */
  public static Shape shape(int rank, Random random) {
    Shape shape = Shape.of(dims(rank, random));
    while (shape.elements() > MAX_ELEMENTS) {
      shape = Shape.of(dims(rank, random));
    }
    return shape;
  }

  private static long[] dims(int rank, Random random) {
    int zeroIn = 6 * Math.max(1, rank);
    return IntStream.range(0, rank)
        .mapToLong(d -> random.nextInt(zeroIn) == 0 ? 0 : 1 + random.nextInt(rank > 4 ? 3 : 5))
        .toArray();
  }

  private static ScatterCall scatter(Tensor data, Where where, Random random) {
    List<Reduction> defined =
        Arrays.stream(Reduction.values()).filter(r -> r.isDefinedFor(data.dtype())).toList();
    Scatter how =
        new Scatter(
            pick(defined, random),
            new IndexPolicy(pick(BAD, random), negative(random)),
            random.nextInt(6) == 0 ? Duplicates.ERROR : Duplicates.IN_ORDER,
            pick(List.of(IncludeSelf.values()), random),
            pick(List.of(HalfRounding.values()), random));
    Shape updates = where.indexing().plan(data.shape(), where.indices().shape()).updates();
    return new ScatterCall(
        how, where.indexing(), where.indices(), tensor(data.dtype(), updates, random));
  }

  private static GatherCall gather(Tensor data, Where where, Random random) {
    BadIndices bad =
        random.nextInt(4) == 0 ? BadIndices.fill(fillValue(data.dtype())) : pick(BAD, random);
    Gather how = new Gather(new IndexPolicy(bad, negative(random)));
    return new GatherCall(how, where.indexing(), where.indices());
  }

  private static NegativeIndices negative(Random random) {
    return pick(List.of(NegativeIndices.values()), random);
  }

  private static Object fillValue(DType dtype) {
    return switch (dtype.kind()) {
      case BOOL -> true;
      case SIGNED, UNSIGNED -> 7;
      case FLOAT -> 1.5;
      case COMPLEX -> new Complex(1.5, -2);
      case STRING -> "fill";
    };
  }

  private static Where where(Shape tensor, Random random) {
    int rank = tensor.rank();
    int kind = rank == 0 ? 0 : random.nextInt(4);
    return switch (kind) {
      case 0 -> tuples(tensor, random.nextInt(rank + 1), random);
      case 1 -> tuples(tensor, 0, random);
      case 2 -> elements(tensor, random.nextInt(2 * rank) - rank, random);
      default -> axis(tensor, random.nextInt(2 * rank) - rank, random);
    };
  }

  private static Where tuples(Shape tensor, int batchDims, Random random) {
    int depth = random.nextInt(tensor.rank() - batchDims + 1);
    Shape slots = tensor.first(batchDims).concat(shape(random.nextInt(3), random));
    long[] bounds = tensor.from(batchDims).first(depth).dims();
    Tensor indices = indices(slots.concat(Shape.of(depth)), bounds, random);
    return new Where(new Indexing.Tuples(batchDims), indices);
  }

  private static Where elements(Shape tensor, int axis, Random random) {
    int at = Math.floorMod(axis, tensor.rank());
    long[] dims = tensor.dims();
    for (int d = 0; d < dims.length; d++) {
      dims[d] = d == at ? random.nextInt(5) : dims[d] - (dims[d] > 1 ? random.nextInt(2) : 0);
    }
    return new Where(
        new Indexing.Elements(axis), indices(Shape.of(dims), new long[] {tensor.dim(at)}, random));
  }

  private static Where axis(Shape tensor, int axis, Random random) {
    long[] bound = {tensor.dim(Math.floorMod(axis, tensor.rank()))};
    return new Where(
        new Indexing.Axis(axis), indices(shape(random.nextInt(3), random), bound, random));
  }

  /**
   * Returns index values for dimensions of size {@code bounds} in turn. In half of the tensors all
   * are in bounds.
   */
  private static Tensor indices(Shape shape, long[] bounds, Random random) {
    Tensor indices = Tensor.zeros(pick(INTEGERS, random), shape);
    int badInHundred = random.nextBoolean() ? 0 : random.nextInt(30);
    for (int i = 0; i < indices.elements(); i++) {
      long bound = bounds[i % bounds.length];
      boolean good = bound > 0 && random.nextInt(100) >= badInHundred;
      put(indices.array(), i, good ? random.nextInt((int) bound) : awkward(bound, random));
    }
    return indices;
  }

  private static long awkward(long bound, Random random) {
    long[] values = {-1, -bound, -bound - 1, bound, 127, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};
    return values[random.nextInt(values.length)];
  }

  private static void put(Object array, int i, long value) {
    if (array instanceof byte[] bytes) {
      bytes[i] = (byte) value;
    } else if (array instanceof short[] shorts) {
      shorts[i] = (short) value;
    } else if (array instanceof int[] ints) {
      ints[i] = (int) value;
    } else {
      ((long[]) array)[i] = value;
    }
  }

  private static <T> T pick(List<T> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }
}
