/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * Runs one peer of a benchmark once, in a heap that may not suffice, and prints its {@link
 * PeakMemory}. The exit status is 0 on success.
 */
public final class MemoryTrial {
  private MemoryTrial() {}

  /**
   * @param args the id of the benchmark, the number of the peer, the rows of the table, and the
   *     directory of the input files
   */
  public static void main(String[] args) {
    try {
      System.out.println(measured(args[0], Integer.parseInt(args[1]), size(args[2]), args[3]));
      System.out.flush();
      Runtime.getRuntime().halt(0); // Spark's shutdown may hang after an OutOfMemoryError
    } catch (Throwable e) {
      System.err.println(e);
      Runtime.getRuntime().halt(1);
    }
  }

  private static Size size(String rows) {
    return Size.ofRows(Integer.parseInt(rows));
  }

  private static PeakMemory measured(String work, int peer, Size size, String inputs)
      throws Exception {
    SparkSession spark = SparkSuite.session();
    spark.sparkContext().setLogLevel("OFF");
    SparkPeer chosen =
        MemoryWorks.work(work, new QueryInputs(spark, size, Path.of(inputs)), size)
            .peers()
            .get()
            .get(peer);
    MemoryListener memory = new MemoryListener();
    spark.sparkContext().addSparkListener(memory);
    chosen.run();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    return memory.peak();
  }
}
