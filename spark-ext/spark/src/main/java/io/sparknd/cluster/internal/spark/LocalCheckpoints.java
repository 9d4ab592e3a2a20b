/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.CheckpointRDD;
import org.apache.spark.rdd.LocalCheckpointRDD;
import org.apache.spark.rdd.LocalRDDCheckpointData;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.RDDCheckpointData;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Set$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Truncates lineage without a separate job, and unpersists RDDs whose lineage is truncated. */
public final class LocalCheckpoints {
  private LocalCheckpoints() {}

  /**
   * Marks an RDD, which is persisted in memory and on disk, as the first of its lineage. Has no
   * effect if its lineage is truncated already.
   */
  public static <T> void mark(JavaRDD<T> rdd) {
    if (rdd.isCheckpointed()) {
      return; // the checkpoint is all that is left of the lineage
    }
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
   * so itself at the end of the first job on an RDD, but not at the end of later jobs, and not if
   * only the map side of a shuffle ran.
   */
  public static void materialize(JavaRDD<?> rdd) {
    rdd.rdd().checkpointData().get().checkpoint();
  }

  /**
   * Computes a persisted RDD, and copies each block that only one executor holds to another
   * executor, if there is one. The storage level of a persisted RDD cannot be changed.
   */
  public static <T> void replicate(JavaRDD<T> rdd) {
    rdd.context().runJob(rdd.rdd(), new Replication<T>(rdd.id()), ClassTag$.MODULE$.Unit());
  }

  /**
   * Drops the cached blocks of an RDD that is not read again, without the warning that {@code
   * unpersist} logs for every RDD whose lineage is truncated.
   */
  public static void unpersist(JavaRDD<?> rdd) {
    InterruptedCleanup.run(() -> rdd.context().unpersistRDD(rdd.id(), false));
  }

  /** Makes the second copy of a block. It is a class, so that there is no closure to clean. */
  private static final class Replication<T>
      extends AbstractFunction2<TaskContext, Iterator<T>, BoxedUnit> implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int COPIES = 2;

    private final int rdd;

    Replication(int rdd) {
      this.rdd = rdd;
    }

    @Override
    public BoxedUnit apply(TaskContext context, Iterator<T> elements) {
      BlockManager blocks = SparkEnv.get().blockManager();
      RDDBlockId block = new RDDBlockId(rdd, context.partitionId());
      if (blocks.master().getLocations(block).size() < COPIES) {
        if (blocks.getStatus(block).isDefined()) {
          blocks.replicateBlock(block, Set$.MODULE$.empty(), COPIES, Option.empty());
        } else { // the elements come from the executor that has the block
          ClassTag<T> tag = ClassTag$.MODULE$.apply(Object.class);
          blocks.putIterator(block, elements, StorageLevel.MEMORY_AND_DISK(), true, tag);
        }
      }
      while (elements.hasNext()) {
        elements.next(); // the lock of the block is released at the end
      }
      return BoxedUnit.UNIT;
    }
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
      return CachedPartitions.isWhole(rdd)
          ? new LocalCheckpointRDD<>(rdd, tag)
          : super.doCheckpoint();
    }
  }
}
