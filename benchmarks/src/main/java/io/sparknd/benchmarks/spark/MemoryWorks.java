/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * The memory of benchmarks A to D and of their peers, each in a JVM of its own with a heap of 1
 * GiB, driver and tasks together: the peak of a run, and the largest table that finishes. The table
 * doubles until a trial fails or {@link #MAX_ROWS} are reached.
 *
 * @param directory the directory of the input files
 */
record MemoryWorks(SparkSession spark, Size size, Path directory) {
  private static final List<String> IDS = List.of("A", "B", "C1", "C2", "D");
  private static final long HEAP = 1L << 30;
  private static final double MEGA = 1e6;

  /** Peaks differ from run to run, with the times of collections. */
  private static final int TRIALS = 3;

  private static final int FIRST_ROWS = 100_000;

  /** A table of 1.6 GB, and as much of updates. */
  private static final int MAX_ROWS = 6_400_000;

  private static final int MAX_ROWS_OF_QUICK = 200_000;

  /** Returns a benchmark by its id. */
  static SparkWork work(String id, QueryInputs inputs, Size size) {
    return new TableWorks(inputs, size)
        .all().stream().filter(work -> work.id().equals(id)).findFirst().orElseThrow();
  }

  /**
   * Measures benchmarks: the peaks, and the largest tables.
   *
   * @param wanted the ids of these, such as {@code A}, or with the part that is measured, {@code
   *     A/peak} or {@code A/largest}; all if empty
   */
  List<WorkComparison> run(List<String> wanted) {
    List<WorkComparison> all = new ArrayList<>();
    for (String id : IDS) {
      if (isWanted(wanted, id, "peak")) {
        all.addAll(peaks(id));
      }
      if (isWanted(wanted, id, "largest")) {
        largest(id).ifPresent(all::add);
      }
    }
    return all;
  }

  private static boolean isWanted(List<String> wanted, String id, String part) {
    return wanted.isEmpty() || wanted.contains(id) || wanted.contains(id + "/" + part);
  }

  private List<SparkPeer> peers(String id, Size of) {
    QueryInputs inputs = new QueryInputs(spark, of, directory);
    inputs.create(); // with this heap, not with that of a trial
    return work(id, inputs, of).peers().get().stream()
        .filter(who -> who.role() != Role.FLOOR) // at the end, so that numbers of peers stay
        .toList();
  }

  private Optional<PeakMemory> trial(String id, int peer, Size of) {
    List<String> arguments =
        List.of(id, Integer.toString(peer), Integer.toString(of.rows()), directory.toString());
    return new TrialProcess(MemoryTrial.class, HEAP, arguments).run().map(PeakMemory::parse);
  }

  /** Returns the peaks of the peers that finish in every trial. */
  private List<WorkComparison> peaks(String id) {
    List<SparkPeer> peers = peers(id, size);
    List<PeerResult> heap = new ArrayList<>();
    List<PeerResult> execution = new ArrayList<>();
    for (int peer = 0; peer < peers.size(); peer++) {
      SparkPeer who = peers.get(peer);
      List<PeakMemory> peaks = trials(id, peer);
      System.out.printf("%s, %s, %,d rows: %s%n", id, who.name(), size.rows(), peaks);
      if (peaks.size() == TRIALS) {
        heap.add(result(who, peaks, PeakMemory::heapBytes));
        execution.add(result(who, peaks, PeakMemory::executionBytes));
      }
    }
    return Stream.of(
            compared(id + "/heap: peak heap after a collection", "MB", heap),
            compared(id + "/execution: peak execution memory of a task", "MB", execution))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns the peaks of the trials before the first that fails. */
  private List<PeakMemory> trials(String id, int peer) {
    List<PeakMemory> peaks = new ArrayList<>();
    for (int i = 0; i < TRIALS; i++) {
      Optional<PeakMemory> peak = trial(id, peer, size);
      if (peak.isEmpty()) {
        return peaks;
      }
      peaks.add(peak.get());
    }
    return peaks;
  }

  private static PeerResult result(
      SparkPeer who, List<PeakMemory> peaks, ToLongFunction<PeakMemory> bytes) {
    return new PeerResult(
        who.name(),
        who.role(),
        new Samples(peaks.stream().map(peak -> bytes.applyAsLong(peak) / MEGA).toList()));
  }

  /**
   * Returns the comparison of results; empty if SparkND or every peer failed, or if one of them
   * took nothing, which leaves no ratio.
   */
  static Optional<WorkComparison> compared(String name, String unit, List<PeerResult> results) {
    boolean hasOurs =
        results.stream()
            .anyMatch(result -> result.role() == Role.OURS && result.samples().median() > 0);
    List<PeerResult> peers =
        results.stream().filter(result -> result.role() == Role.CORRECT).toList();
    boolean isRatio =
        !peers.isEmpty() && peers.stream().allMatch(peer -> peer.samples().median() > 0);
    return hasOurs && isRatio
        ? Optional.of(new WorkComparison(name, 2, 1, unit, results))
        : Optional.empty();
  }

  /** Measures the bytes of heap per row of the largest table. */
  private Optional<WorkComparison> largest(String id) {
    List<PeerResult> results = new ArrayList<>();
    List<SparkPeer> peers = peers(id, Size.ofRows(FIRST_ROWS));
    for (int peer = 0; peer < peers.size(); peer++) {
      int rows = largest(id, peer);
      System.out.printf("%s, %s: %,d rows%n", id, peers.get(peer).name(), rows);
      if (rows > 0) {
        results.add(result(peers.get(peer), rows));
      }
    }
    return compared(
        id + "/largest: heap for a row of the largest table that 1 GiB finishes", "bytes", results);
  }

  private static PeerResult result(SparkPeer who, int rows) {
    return new PeerResult(who.name(), who.role(), new Samples(List.of((double) HEAP / rows)));
  }

  private int largest(String id, int peer) {
    int limit = size.equals(Size.FULL) ? MAX_ROWS : MAX_ROWS_OF_QUICK;
    int most = 0;
    for (int rows = FIRST_ROWS; rows <= limit; rows *= 2) {
      Size next = Size.ofRows(rows);
      peers(id, next);
      if (trial(id, peer, next).isEmpty()) {
        return most;
      }
      most = rows;
    }
    return most;
  }
}
