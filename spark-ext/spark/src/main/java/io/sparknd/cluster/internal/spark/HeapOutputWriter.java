/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.stream.LongStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import scala.Product2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** Keeps the outputs of the map tasks of a shuffle in the heap, or writes them to files. */
final class HeapOutputWriter extends ShuffleWriteProcessor {
  private static final long serialVersionUID = 1;

  private final BatchMapOutput files = new BatchMapOutput();
  private final long number;
  private final long most;

  /**
   * @param number of the shuffle in this JVM
   * @param most bytes of an output that may stay in the heap
   */
  HeapOutputWriter(long number, long most) {
    this.number = number;
    this.most = most;
  }

  long number() {
    return number;
  }

  @Override
  public MapStatus write(
      Iterator<Object> records,
      ShuffleDependency<?, ?, ?> shuffle,
      long map,
      int index,
      TaskContext context) {
    if (!BatchMapOutput.isPlain(SparkEnv.get()) || shuffle.shuffleMergeAllowed()) {
      HeapMapOutputs.toFiles(number, shuffle);
      return files.write(records, shuffle, map, index, context);
    }
    MapOutput output = new MapOutput(shuffle, map, index, ShuffleValue::recordBytes);
    while (HeapMapOutputs.isOpen(number) && output.bytes() <= most && records.hasNext()) {
      output.add((Product2<?, ?>) records.next());
    }
    ShuffleWriteMetricsReporter metrics = createMetricsReporter(context);
    // the manager deletes the files of map tasks that requested a writer, should it have some
    BatchMapOutput.announce(shuffle, map, context, metrics);
    if (output.bytes() > most || records.hasNext() || !HeapMapOutputs.keep(number, output)) {
      HeapMapOutputs.toFiles(number, shuffle);
      Iterator<Object> all = CollectionConverters.asScala(output.drained());
      return files.write(all.concat(() -> records), shuffle, map, index, context);
    }
    metrics.incRecordsWritten(output.count());
    metrics.incBytesWritten(LongStream.of(output.lengths()).sum());
    return BatchMapOutput.status(output.lengths(), map);
  }
}
