/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.WorkComparison;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * One round of a benchmark: all peers one after the other, starting with another peer in each
 * round. JMH measures the round as a whole. The times of the peers are written to a file, because a
 * ratio needs both times from the same moment and JVM.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class KernelRound {
  /** System property: the result file. */
  static final String RESULT = "sparknd.benchmarks.result";

  /** System property: the suite. */
  static final String SUITE = "sparknd.benchmarks.suite";

  /** System property: whether to use smaller tensors. */
  static final String QUICK = "sparknd.benchmarks.quick";

  @Param("a")
  String work;

  @Param("1")
  int threads;

  private Work todo;
  private List<Contender> contenders;
  private boolean measuring;
  private int round;

  /** Creates the peers and checks the result of each. */
  @Setup(Level.Trial)
  public void check() throws Exception {
    todo = WorkSet.of(System.getProperty(SUITE), Boolean.getBoolean(QUICK)).named(work);
    Operands operands = Operands.of(todo);
    LoopOracle oracle = new LoopOracle(operands);
    contenders = new ArrayList<>();
    for (Peer peer : Peers.of(operands, threads)) {
      Contender contender = new Contender(peer, oracle, todo.count());
      contender.run();
      contender.check();
      contenders.add(contender);
    }
  }

  /** Records whether this iteration is measured. */
  @Setup(Level.Iteration)
  public void begin(IterationParams iteration) {
    measuring = iteration.getType() == IterationType.MEASUREMENT;
  }

  /** Runs all peers one after the other. */
  @Benchmark
  public void round() throws Exception {
    for (int i = 0; i < contenders.size(); i++) {
      Contender contender = contenders.get((i + round) % contenders.size());
      double nanos = contender.run();
      if (measuring) {
        contender.keep(nanos);
      }
    }
    round++;
  }

  /** Checks the results again after all rounds, and writes the times. */
  @TearDown(Level.Trial)
  public void write() throws Exception {
    for (Contender contender : contenders) {
      contender.check();
    }
    WorkComparison comparison =
        new WorkComparison(
            todo.id() + ": " + todo.title(),
            threads,
            todo.goals().of(threads),
            "ns/update",
            contenders.stream().map(Contender::result).toList());
    write(comparison);
    for (Contender contender : contenders) {
      contender.close();
    }
  }

  private static void write(WorkComparison comparison) throws IOException {
    KernelSuite.MAPPER.writeValue(new File(System.getProperty(RESULT)), comparison);
  }
}
