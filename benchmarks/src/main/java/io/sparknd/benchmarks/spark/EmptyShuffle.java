/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Jobs with an empty shuffle: the minimum time of a shuffle job.
 *
 * @param jobs the jobs of one run
 */
record EmptyShuffle(SparkSession spark, int jobs) implements SparkPeer {
  static final int SOURCES = 2;
  static final int OWNERS = 8;

  @Override
  public String name() {
    return (jobs == 1 ? "an empty " : jobs + " empty ")
        + "2 to 8 shuffle job"
        + (jobs == 1 ? "" : "s");
  }

  @Override
  public Role role() {
    return Role.CORRECT;
  }

  @Override
  public void run() {
    for (int job = 0; job < jobs; job++) {
      JavaSparkContext.fromSparkContext(spark.sparkContext())
          .parallelize(List.<Integer>of(), SOURCES)
          .mapToPair(i -> new Tuple2<>(i, i))
          .partitionBy(new HashPartitioner(OWNERS))
          .foreachPartition(rows -> rows.forEachRemaining(row -> {}));
    }
  }

  @Override
  public OptionalLong answer() {
    return OptionalLong.of(0);
  }
}
