/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

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

/** Cuts of lineage without a job of their own, and what is left of them. */
public final class LineageCut {
  private LineageCut() {}

  /** Marks an RDD, which is kept in memory and on disk, as the first of its lineage. */
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
   * Makes an RDD that is marked for a checkpoint, and computed, the first of its lineage. Spark
   * does so by itself at the end of a job, but not where only the map side of a shuffle ran.
   */
  public static void now(JavaRDD<?> rdd) {
    rdd.rdd().doCheckpoint();
  }

  /**
   * Gives back what executors keep of an RDD that nobody will ask for again, without the warning
   * that {@code unpersist} logs of every one that was cut off.
   */
  public static void forget(JavaRDD<?> rdd) {
    rdd.context().unpersistRDD(rdd.id(), false);
  }

  /**
   * The same as Spark's, which asks the driver's register, block by block, whether executors lost
   * one: a millisecond for eight. Here the driver has the blocks.
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
