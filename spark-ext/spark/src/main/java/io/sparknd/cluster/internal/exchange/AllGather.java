/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.cluster.internal.spark.SneakyThrow;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.RequestMethod$;
import org.apache.spark.RequestToSync;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskKilledException;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcTimeout;
import org.apache.spark.util.RpcUtils;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.concurrent.duration.Duration;
import scala.reflect.ClassTag$;

/**
 * What {@link BarrierTaskContext#allGather} does, which looks for the answer once a second: a job
 * would take a second longer.
 */
final class AllGather {
  private static final String COORDINATOR = "barrierSync";

  /** How often a task that waits looks whether it was killed. */
  private static final Duration POLL = Duration.create(20, TimeUnit.MILLISECONDS);

  /** As Spark's own: tasks may begin late, and the end of one ends all. */
  private static final RpcTimeout NO_TIMEOUT =
      new RpcTimeout(Duration.create(365, TimeUnit.DAYS), "365 days");

  private AllGather() {}

  /**
   * Returns the messages of all tasks of the stage, in their order, once each has sent one. Each
   * task calls this once, and no other barrier.
   */
  static List<String> of(BarrierTaskContext task, String message) {
    SparkEnv env = SparkEnv.get();
    RpcEndpointRef coordinator = RpcUtils.makeDriverRef(COORDINATOR, env.conf(), env.rpcEnv());
    RequestToSync request =
        new RequestToSync(
            task.numPartitions(),
            task.stageId(),
            task.stageAttemptNumber(),
            task.taskAttemptId(),
            0,
            task.partitionId(),
            message,
            RequestMethod$.MODULE$.ALL_GATHER());
    Future<String[]> answer =
        coordinator.ask(request, NO_TIMEOUT, ClassTag$.MODULE$.apply(String[].class));
    try {
      while (!answer.isCompleted()) {
        await(answer, task);
      }
      return List.of(Await.result(answer, Duration.Zero()));
    } catch (InterruptedException e) {
      throw new TaskKilledException("interrupted before all tasks began");
    } catch (TimeoutException e) {
      throw SneakyThrow.thrown(e); // that of the answer
    }
  }

  private static void await(Future<?> answer, BarrierTaskContext task) throws InterruptedException {
    try {
      Await.ready(answer, POLL);
    } catch (TimeoutException e) {
      if (task.isInterrupted()) {
        throw new TaskKilledException("killed before all tasks began");
      }
    }
  }
}
