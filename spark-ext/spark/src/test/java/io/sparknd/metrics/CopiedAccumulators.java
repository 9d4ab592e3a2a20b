/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.jdk.javaapi.CollectionConverters;

/** Collects the names of the accumulators whose values Spark copies when a task ends. */
public final class CopiedAccumulators extends SparkListener {
  private final Set<String> names = new TreeSet<>();

  private CopiedAccumulators() {}

  /** Returns the names of what was copied for the tasks of an action. */
  public static Set<String> of(SparkContext context, Runnable action) throws Exception {
    CopiedAccumulators copied = new CopiedAccumulators();
    context.listenerBus().waitUntilEmpty();
    context.addSparkListener(copied);
    try {
      action.run();
      context.listenerBus().waitUntilEmpty();
    } finally {
      context.removeSparkListener(copied);
    }
    return copied.names();
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    CollectionConverters.asJava(end.taskInfo().accumulables())
        .forEach(info -> names.add(info.name().getOrElse(() -> "without a name")));
  }

  private synchronized Set<String> names() {
    return names;
  }
}
