/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Records the peak memory of this JVM. Heap that is in use between two collections says little: it
 * grows up to the size of the heap in any program. What a collection leaves is needed.
 */
final class MemoryListener extends SparkListener {
  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());

  private final AtomicLong heap = new AtomicLong();
  private final AtomicLong execution = new AtomicLong();

  /** Starts to record garbage collections; those of the young generation count, too. */
  MemoryListener() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector)
          .addNotificationListener((notification, from) -> collected(notification), null, null);
    }
  }

  private void collected(Notification notification) {
    if (notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      GcInfo info =
          GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
              .getGcInfo();
      heap.accumulateAndGet(live(info), Math::max);
    }
  }

  private long live(GcInfo info) {
    return info.getMemoryUsageAfterGc().entrySet().stream()
        .filter(pool -> heapPools.contains(pool.getKey()))
        .mapToLong(pool -> pool.getValue().getUsed())
        .sum();
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    TaskMetrics metrics = end.taskMetrics();
    if (metrics != null) { // of a task that was lost
      execution.accumulateAndGet(metrics.peakExecutionMemory(), Math::max);
    }
  }

  PeakMemory peak() {
    return new PeakMemory(heap.get(), execution.get());
  }
}
