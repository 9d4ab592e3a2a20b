/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Splits hot pieces by columns into equal <em>cuts</em>, so that none weighs more than a task's
 * share if possible, and assigns the cuts to tasks, the heaviest first. All cuts of one width are
 * of one <em>kind</em>. In its task, a cut has a number among those of its kind, its <em>slot</em>.
 */
public final class SkewSplitPlan implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * Additional tasks if every repeated piece is split, so that pieces are split even with one
   * partition.
   */
  private static final int MORE_TASKS = 2;

  private final int units;
  private final int tasks;
  private final int[] owners;
  private final int[] firstPieces;
  private final long[] locals;
  private final int[] firstCuts;
  private final int[] widths;
  private final int[] kindOfPiece;
  private final int[] taskOfCut;
  private final int[] slotOfCut;
  private final int[][] cutsInTask;

  /**
   * @param hot pieces of {@code units} units each
   */
  private SkewSplitPlan(List<HeavyHitter> hot, DType dtype, int units, int tasks) {
    List<HeavyHitter> pieces = new ArrayList<>(hot);
    pieces.sort(Comparator.comparingInt(HeavyHitter::owner).thenComparingLong(HeavyHitter::local));
    this.units = units;
    this.tasks = tasks;
    this.firstPieces = firstPieces(pieces);
    this.owners =
        IntStream.range(0, firstPieces.length - 1)
            .map(i -> pieces.get(firstPieces[i]).owner())
            .toArray();
    this.locals = pieces.stream().mapToLong(HeavyHitter::local).toArray();
    int elements = units / dtype.units();
    long share = -Math.floorDiv(-pieces.stream().mapToLong(HeavyHitter::weight).sum(), tasks);
    int[] parts = pieces.stream().mapToInt(p -> parts(p.weight(), share, elements)).toArray();
    this.widths = IntStream.of(parts).map(n -> units / n).distinct().sorted().toArray();
    this.kindOfPiece = new int[parts.length];
    this.firstCuts = new int[parts.length + 1];
    for (int piece = 0; piece < parts.length; piece++) {
      kindOfPiece[piece] = Arrays.binarySearch(widths, units / parts[piece]);
      firstCuts[piece + 1] = firstCuts[piece] + parts[piece];
    }
    this.taskOfCut = new int[firstCuts[parts.length]];
    this.slotOfCut = new int[taskOfCut.length];
    long unitBytes = BlockLayout.unitBytes(dtype.storage());
    this.cutsInTask = assigned(pieces.stream().mapToLong(HeavyHitter::weight).toArray(), unitBytes);
  }

  /**
   * Plans the split of the hot slices of a scatter.
   *
   * @param units units of a piece
   * @return empty if {@code policy} predicts no gain
   */
  public static Optional<SkewSplitPlan> of(
      PartitionLoad load, SkewPolicy policy, DType dtype, int units) {
    List<HeavyHitter> hot = load.hot(policy, units * (long) BlockLayout.unitBytes(dtype.storage()));
    if (hot.isEmpty()) {
      return Optional.empty();
    }
    int tasks = policy.isAlways() ? load.partitions() + MORE_TASKS : load.tasks(hot);
    return Optional.of(of(hot, dtype, units, tasks));
  }

  static SkewSplitPlan of(List<HeavyHitter> hot, DType dtype, int units, int tasks) {
    return new SkewSplitPlan(hot, dtype, units, tasks);
  }

  private static int[] firstPieces(List<HeavyHitter> pieces) {
    return IntStream.rangeClosed(0, pieces.size())
        .filter(
            i -> i == 0 || i == pieces.size() || pieces.get(i).owner() != pieces.get(i - 1).owner())
        .toArray();
  }

  /**
   * Returns the fewest equal parts of {@code elements} that each weigh at most {@code most}; single
   * elements if there are none.
   */
  private static int parts(long weight, long most, int elements) {
    int parts = 1;
    while (parts < elements && (elements % parts != 0 || weight > most * parts)) {
      parts++;
    }
    return parts;
  }

  /** Assigns each cut to the task with the least load, and returns the cuts by task and kind. */
  private int[][] assigned(long[] weights, long unitBytes) {
    int[] pieceOfCut = new int[taskOfCut.length];
    long[] bytes = new long[taskOfCut.length];
    for (int piece = 0; piece < weights.length; piece++) {
      int width = widths[kindOfPiece[piece]];
      for (int cut = firstCuts[piece]; cut < firstCuts[piece + 1]; cut++) {
        pieceOfCut[cut] = piece;
        bytes[cut] = weights[piece] * (Long.BYTES + width * unitBytes);
      }
    }
    record Load(long bytes, int task) {}
    PriorityQueue<Load> least =
        new PriorityQueue<>(Comparator.comparingLong(Load::bytes).thenComparingInt(Load::task));
    IntStream.range(0, tasks).forEach(task -> least.add(new Load(0, task)));
    List<List<Integer>> assigned = new ArrayList<>();
    IntStream.range(0, tasks * widths.length).forEach(i -> assigned.add(new ArrayList<>()));
    IntStream.range(0, bytes.length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer cut) -> -bytes[cut]))
        .forEach(
            cut -> {
              Load load = least.remove();
              least.add(new Load(load.bytes() + bytes[cut], load.task()));
              List<Integer> slots = assigned.get(index(load.task(), kindOfPiece[pieceOfCut[cut]]));
              taskOfCut[cut] = load.task();
              slotOfCut[cut] = slots.size();
              slots.add(cut);
            });
    return assigned.stream()
        .map(cuts -> cuts.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  private int index(int task, int kind) {
    return task * widths.length + kind;
  }

  /** Units of a whole piece. */
  int units() {
    return units;
  }

  /** Returns the number of tasks that fold cuts. */
  public int tasks() {
    return tasks;
  }

  /** Returns the partitions that own hot pieces, ascending. */
  public int[] owners() {
    return owners;
  }

  public int pieces() {
    return locals.length;
  }

  /** Returns the first hot piece of partition {@code owner}. */
  int firstPiece(int owner) {
    int i = Arrays.binarySearch(owners, owner);
    return firstPieces[i >= 0 ? i : -i - 1];
  }

  /** Returns the end (exclusive) of the hot pieces of partition {@code owner}. */
  int endPiece(int owner) {
    int i = Arrays.binarySearch(owners, owner);
    return firstPieces[i >= 0 ? i + 1 : -i - 1];
  }

  /** Returns the number of hot piece {@code piece} in its partition. */
  long local(int piece) {
    return locals[piece];
  }

  /**
   * Returns the hot piece in {@code [first, end)} whose number in its partition is {@code local};
   * negative if there is none.
   */
  int piece(int first, int end, long local) {
    return Arrays.binarySearch(locals, first, end, local);
  }

  /** Returns the number of kinds of cuts. */
  int kinds() {
    return widths.length;
  }

  /** Returns the units of a cut of {@code kind}. */
  int width(int kind) {
    return widths[kind];
  }

  int kindOfWidth(int width) {
    return Arrays.binarySearch(widths, width);
  }

  int kindOfPiece(int piece) {
    return kindOfPiece[piece];
  }

  /** Returns the number of cuts of a piece. */
  int parts(int piece) {
    return firstCuts[piece + 1] - firstCuts[piece];
  }

  /** Returns the first cut of a piece; the others follow, from the first column to the last. */
  int firstCut(int piece) {
    return firstCuts[piece];
  }

  /** Returns the number of pieces whose first cut {@code task} folds. */
  long firstCuts(int task) {
    return IntStream.of(firstCuts).limit(pieces()).filter(cut -> taskOfCut[cut] == task).count();
  }

  int task(int cut) {
    return taskOfCut[cut];
  }

  int slot(int cut) {
    return slotOfCut[cut];
  }

  /** Returns the cuts of one kind in a task, by slot. */
  int[] cuts(int task, int kind) {
    return cutsInTask[index(task, kind)];
  }

  /** Returns where a cut begins, in units, with all pieces stored one after the other. */
  int firstUnit(int cut) {
    int place = Arrays.binarySearch(firstCuts, cut);
    int piece = place >= 0 ? place : -place - 2;
    return piece * units + (cut - firstCuts[piece]) * widths[kindOfPiece[piece]];
  }
}
