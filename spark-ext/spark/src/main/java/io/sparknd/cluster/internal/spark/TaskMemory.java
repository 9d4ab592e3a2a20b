/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/** The memory of a task that Spark does not manage, which it calls user memory. */
public final class TaskMemory {
  /** A master that runs a number of tasks in the driver's own process. */
  private static final Pattern LOCAL = Pattern.compile("local\\[(\\d+)(,.*)?]");

  private TaskMemory() {}

  /**
   * Returns a part of the bytes of a task in this JVM.
   *
   * @param parts of which this is one
   * @param least returned if a part has fewer bytes
   */
  public static long part(int parts, long least) {
    return Math.max(least, user(SparkEnv.get().conf()) / parts);
  }

  /**
   * Returns the heap without {@code spark.memory.fraction} of it, divided by the tasks that run at
   * a time.
   */
  static long user(SparkConf conf) {
    double unmanaged = 1 - conf.getDouble("spark.memory.fraction", 0.6);
    Runtime machine = Runtime.getRuntime();
    int tasks = Math.max(machine.availableProcessors(), tasks(conf));
    return (long) (unmanaged * machine.maxMemory() / tasks);
  }

  /** Returns how many tasks an executor runs at a time; 1 if the number is not set. */
  static int tasks(SparkConf conf) {
    Matcher local = LOCAL.matcher(conf.get("spark.master", ""));
    int cores =
        local.matches() ? Integer.parseInt(local.group(1)) : conf.getInt("spark.executor.cores", 1);
    return Math.max(1, cores / conf.getInt("spark.task.cpus", 1));
  }
}
