/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.CheckpointRDD;
import org.apache.spark.rdd.LocalCheckpointRDD;
import org.apache.spark.rdd.LocalRDDCheckpointData;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.RDDCheckpointData;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Cuts lineage without a separate job, and drops what RDDs that were cut off have cached. */
public final class LocalCheckpoints {
  private LocalCheckpoints() {}

  /** Marks an RDD, which is persisted in memory and on disk, as the first of its lineage. */
  public static <T> void mark(JavaRDD<T> rdd) {
    if (rdd.context().isLocal()) {
      ClassTag<T> tag = ClassTag$.MODULE$.apply(Object.class);
      RDDCheckpointData<T> cut = new OnOneMachine<>(rdd.rdd(), tag);
      rdd.rdd().checkpointData_$eq(Option.apply(cut));
    } else {
      rdd.rdd().localCheckpoint();
    }
  }

  /**
   * Makes an RDD that is marked for a checkpoint and computed the first of its lineage. Spark does
   * so itself at the end of a job, but not if only the map side of a shuffle ran.
   */
  public static void now(JavaRDD<?> rdd) {
    rdd.rdd().doCheckpoint();
  }

  /**
   * Drops the cached blocks of an RDD that is not read again, without the warning that {@code
   * unpersist} logs for every RDD that was cut off.
   */
  public static void forget(JavaRDD<?> rdd) {
    rdd.context().unpersistRDD(rdd.id(), false);
  }

  /**
   * A local checkpoint that looks for blocks in the driver, which holds them in local mode. Spark's
   * queries the driver's registry of blocks for each, which takes a millisecond for eight.
   */
  private static final class OnOneMachine<T> extends LocalRDDCheckpointData<T> {
    private static final long serialVersionUID = 1;

    private final transient RDD<T> rdd;
    private final transient ClassTag<T> tag;

    OnOneMachine(RDD<T> rdd, ClassTag<T> tag) {
      super(rdd, tag);
      this.rdd = rdd;
      this.tag = tag;
    }

    @Override
    public CheckpointRDD<T> doCheckpoint() {
      BlockManager blocks = SparkEnv.get().blockManager();
      boolean isWhole =
          IntStream.range(0, rdd.getNumPartitions())
              .allMatch(i -> blocks.getStatus(new RDDBlockId(rdd.id(), i)).isDefined());
      return isWhole ? new LocalCheckpointRDD<>(rdd, tag) : super.doCheckpoint();
    }
  }
}
