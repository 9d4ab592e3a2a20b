/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
 * grows up to the size of the heap in any program. A collection of the young generation may leave
 * garbage that it moved to the old one. What a full collection leaves is needed, so this requests
 * many.
 */
final class MemoryListener extends SparkListener {
  /** The cause of a collection that a program requests. */
  private static final String EXPLICIT = "System.gc()";

  private static final String FULL = "end of major GC";

  /** The milliseconds between a full collection and the next. */
  private static final long PAUSE = 50;

  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());

  private final Semaphore explicit = new Semaphore(0);
  private final Thread collector = new Thread(MemoryListener::collectOften, "full collections");
  private final AtomicLong heap = new AtomicLong();
  private final AtomicLong execution = new AtomicLong();

  /** Starts to request full collections, and to record them. */
  MemoryListener() {
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) each)
          .addNotificationListener((notification, from) -> collected(notification), null, null);
    }
    collector.setDaemon(true);
    collector.start();
  }

  private static void collectOften() {
    try {
      while (true) {
        Thread.sleep(PAUSE);
        System.gc();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the end
    }
  }

  private void collected(Notification notification) {
    if (notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      GarbageCollectionNotificationInfo collection =
          GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
      if (!collection.getGcAction().equals(FULL)) {
        return;
      }
      heap.accumulateAndGet(live(collection.getGcInfo()), Math::max);
      if (collection.getGcCause().equals(EXPLICIT)) {
        explicit.release();
      }
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

  /**
   * Returns the peak so far. Notifications come later than their collections, but in order, so this
   * collects once more and waits.
   *
   * @throws IllegalStateException if no notification comes, for example because the JVM ignores
   *     requests to collect
   */
  PeakMemory peak() throws InterruptedException {
    collector.interrupt();
    collector.join();
    explicit.drainPermits();
    System.gc();
    if (!explicit.tryAcquire(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("no garbage collection was reported; see DisableExplicitGC");
    }
    return new PeakMemory(heap.get(), execution.get());
  }
}
