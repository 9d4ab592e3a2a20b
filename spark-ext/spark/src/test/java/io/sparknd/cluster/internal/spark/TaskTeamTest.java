/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests teams of tasks, which read any partition of two RDDs, on two cores. */
class TaskTeamTest {
  private static final int PHASES = 50;

  /**
   * What the tasks of each job share with its test. A killed task may still run when the next test
   * begins, and must not join the team of that one.
   */
  private static final List<Shared> JOBS = new CopyOnWriteArrayList<>();

  private final JavaSparkContext context =
      JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

  private static final class Shared {
    private final TaskTeam team;
    private final int parts;
    private final AtomicIntegerArray done;
    private final AtomicInteger early = new AtomicInteger();
    private final AtomicInteger members = new AtomicInteger();
    private final AtomicInteger firsts = new AtomicInteger();
    private final AtomicInteger kills = new AtomicInteger();
    private volatile List<List<Partition>> parents = List.of();

    Shared(int expected, int parts) {
      this.team = new TaskTeam(expected);
      this.parts = parts;
      this.done = new AtomicIntegerArray(parts);
    }

    /** Counts a part, and whether another one is a phase behind. */
    void part(int phase, int part) {
      done.incrementAndGet(part);
      IntStream.range(0, parts).filter(i -> done.get(i) < phase).forEach(i -> early.addAndGet(1));
    }

    void work(TaskTeam.Member member) {
      members.incrementAndGet();
      firsts.addAndGet(member.isFirst() ? 1 : 0);
      for (int phase = 0; phase < PHASES; phase++) {
        int number = phase;
        if (phase % 2 == 0) {
          member.any(parts, part -> part(number, part));
        } else {
          member.own(parts, part -> part(number, part));
        }
      }
    }
  }

  /** The work of tasks. */
  private interface Work extends Serializable {
    void run(TaskTeam.Member member, Shared shared);
  }

  private JavaRDD<Integer> team(int tasks, Shared shared, Work work) {
    JavaRDD<Integer> numbers =
        context.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks);
    JavaRDD<Integer> others = numbers.map(i -> 10 * i);
    shared.parents = JointTasks.partitions(numbers, others);
    JOBS.add(shared);
    return JointTasks.of(numbers, others, new Joint(JOBS.indexOf(shared), work));
  }

  private record Joint(int job, Work work) implements JointTasks.Task<Integer, Integer, Integer> {
    @Override
    public List<List<Partition>> parents() {
      return JOBS.get(job).parents;
    }

    @Override
    public Iterator<Integer> call(
        int partition, JointTasks.Inputs<Integer> first, JointTasks.Inputs<Integer> second) {
      Shared shared = JOBS.get(job);
      shared.team.run(TaskContext.get(), member -> work.run(member, shared));
      return sums(first, second, partition);
    }
  }

  /** Returns the partition's element of one RDD, and the sum of those of the other. */
  private static Iterator<Integer> sums(
      JointTasks.Inputs<Integer> first, JointTasks.Inputs<Integer> second, int partition) {
    List<Integer> results = new ArrayList<>(first.elements(partition));
    results.add(IntStream.range(0, second.count()).map(i -> second.elements(i).get(0)).sum());
    return results.iterator();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 3", "2, 2, 1", "2, 2, 5", "5, 2, 5", "2, 7, 3", "1, 2, 0"})
  void everyPartRunsOnceAPhaseAndNobodyIsAhead(int tasks, int expected, int parts) {
    Shared shared = new Shared(expected, parts);
    List<Integer> results = team(tasks, shared, (member, own) -> own.work(member)).collect();
    assertThat(results).hasSize(2 * tasks);
    for (int i = 0; i < tasks; i++) {
      assertThat(results.subList(2 * i, 2 * i + 2)).containsExactly(i, 5 * tasks * (tasks - 1));
    }
    for (int part = 0; part < parts; part++) {
      assertThat(shared.done.get(part)).isEqualTo(PHASES);
    }
    assertThat(shared.early).hasValue(0);
    assertThat(shared.firsts).hasValue(1);
    assertThat(shared.members.get()).isBetween(1, 2); // no more run at once
  }

  @Test
  void theErrorOfOneMemberIsTheErrorOfAll() {
    Shared shared = new Shared(2, 4);
    JavaRDD<Integer> failing =
        team(
            4,
            shared,
            (member, own) ->
                member.any(
                    own.parts,
                    part -> {
                      if (part == 3) {
                        throw new IllegalStateException("part " + part);
                      }
                    }));
    assertThatThrownBy(failing::collect).hasMessageContaining("part 3");
  }

  @Test
  void tasksOfAStoppedTeamFail() {
    Shared shared = new Shared(2, 4);
    JavaRDD<Integer> stopped =
        team(
            2,
            shared,
            (member, own) -> {
              while (true) {
                member.any(own.parts, part -> own.team.stop(new CancellationException("enough")));
              }
            });
    assertThatThrownBy(stopped::collect).hasMessageContaining("enough");
  }

  /** Spark runs the killed task again, which must not begin anew. */
  @Test
  void aKilledMemberIsAnErrorThatSaysSo() {
    Shared shared = new Shared(2, 4);
    JavaRDD<Integer> killed =
        team(
            2,
            shared,
            (member, own) -> {
              while (true) {
                member.any(
                    own.parts,
                    part -> {
                      if (part == 2 && own.kills.getAndIncrement() == 0) {
                        long task = TaskContext.get().taskAttemptId();
                        SparkContext.getOrCreate().killTaskAttempt(task, false, "a test");
                      }
                    });
              }
            });
    assertThatThrownBy(killed::collect).hasMessageContaining("another task of this job was killed");
    assertThat(shared.kills).hasValueGreaterThan(0);
  }
}
