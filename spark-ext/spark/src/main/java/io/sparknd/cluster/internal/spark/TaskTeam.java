/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one job in local mode that compute in phases, as the stages of many jobs would:
 * nobody begins a phase before all have ended the one before. A phase of milliseconds costs some
 * microseconds here; a stage costs milliseconds.
 *
 * <p>Tasks that begin at the same time are the members. They do all the work, whatever their number
 * is, so a job also ends if other jobs hold all other cores. A task that begins later waits for the
 * end. If the work of a member fails, that of all members does.
 */
public final class TaskTeam {
  /** For how long the first member waits for others. Tasks of one job begin within few of these. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  /** How often a task that waits looks whether it was killed. */
  private static final long POLL_MILLIS = 20;

  private final int expected;
  private final AtomicInteger next = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private int members;

  /** Not null once the members are known. */
  private @Nullable Phaser phases;

  /**
   * Makes a team without members.
   *
   * @param expected members to wait for, at least 1: tasks that can run at the same time
   */
  public TaskTeam(int expected) {
    this.expected = expected;
  }

  /** A task that does a share of the work. */
  public final class Member {
    private final int number;
    private final TaskContext task;
    private final Phaser phases;

    private Member(int number, TaskContext task, Phaser phases) {
      this.number = number;
      this.task = task;
      this.phases = phases;
    }

    /** Returns whether it is the one member that does what only one has to do. */
    public boolean isFirst() {
      return number == 0;
    }

    /** Runs a phase whose parts 0 to {@code count - 1} are each run by whoever comes first. */
    public void any(int count, IntConsumer part) {
      for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
        checkKilled(task);
        part.accept(i);
      }
      meet();
    }

    /** Runs a phase of which this member runs the same parts whenever {@code count} is the same. */
    public void own(int count, IntConsumer part) {
      for (int i = number; i < count; i += members) {
        checkKilled(task);
        part.accept(i);
      }
      meet();
    }

    private void meet() {
      int phase = phases.arrive();
      while (phase >= 0 && phases.getPhase() == phase) {
        try {
          phases.awaitAdvanceInterruptibly(phase, POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          checkKilled(task);
        } catch (InterruptedException e) {
          throw killed();
        }
      }
      throwFailure();
    }
  }

  /**
   * Makes a task a member, which runs {@code work}, or waits for the end of the work. All members
   * must run the same phases.
   *
   * <p>Throws what the first member that fails throws, or the cause of {@link #stop}.
   */
  public void run(TaskContext task, Consumer<Member> work) {
    int number = join();
    if (number < 0) {
      awaitEnd(task);
      return;
    }
    try {
      throwFailure();
      work.accept(new Member(number, task, phases()));
      ended.countDown();
    } catch (Throwable e) {
      // code that a kill interrupts may throw anything
      fail(task.isInterrupted() ? killed() : e);
      throw e;
    }
  }

  /** Makes all tasks fail soon. */
  public void stop(Throwable cause) {
    fail(cause);
  }

  /** Returns the number of a member, or -1 if the work has begun without the task. */
  private synchronized int join() {
    if (phases != null) {
      return -1;
    }
    int number = members++;
    long end = System.nanoTime() + GRACE_NANOS;
    try {
      for (long left = GRACE_NANOS;
          members < expected && phases == null && left > 0;
          left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      fail(killed());
      throw killed();
    }
    close();
    return number;
  }

  private synchronized void close() {
    if (phases == null) {
      phases =
          new Phaser(members) {
            @Override
            protected boolean onAdvance(int phase, int registeredParties) {
              next.set(0);
              return false;
            }
          };
      notifyAll();
    }
  }

  private synchronized Phaser phases() {
    close();
    return Objects.requireNonNull(phases);
  }

  private void awaitEnd(TaskContext task) {
    try {
      while (!ended.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        checkKilled(task);
      }
    } catch (InterruptedException e) {
      throw killed();
    }
    throwFailure();
  }

  private void fail(Throwable e) {
    failure.compareAndSet(null, e);
    phases().forceTermination();
    ended.countDown();
  }

  private void throwFailure() {
    Throwable first = failure.get();
    if (first instanceof TaskKilledException) {
      // Spark would take this task for a killed one, too, and run it again
      throw new IllegalStateException(
          "another task of this job was killed in the middle of the work that they share:"
              + " run it again",
          first);
    }
    if (first != null) {
      throw SneakyThrow.thrown(first);
    }
  }

  private static void checkKilled(TaskContext task) {
    if (task.isInterrupted()) {
      throw killed();
    }
  }

  private static TaskKilledException killed() {
    return new TaskKilledException("killed in the middle of the work of several tasks");
  }
}
