/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.io.output.CloseShieldOutputStream;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.api.WritableByteChannelWrapper;
import scala.Product2;

/**
 * The output of a map task, in segments: each has its records in the order of partitions. They lie
 * in one temporary file, from which the bytes of each partition are copied in the end.
 */
final class MapOutputSegments implements Closeable {
  private final MapOutputStreams streams;
  private final File file;
  private final FileChannel channel;
  private final SortedMap<Integer, List<Range>> ranges = new TreeMap<>();

  /** Bytes of the temporary file. */
  private record Range(long start, long end) {}

  MapOutputSegments(MapOutputStreams streams) throws IOException {
    this.streams = streams;
    this.file = streams.env().blockManager().diskBlockManager().createTempShuffleBlock()._2();
    this.channel =
        FileChannel.open(
            file.toPath(),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  /** Writes a segment, whose records are given by partition. */
  void add(SortedMap<Integer, List<Product2<?, ?>>> records) throws IOException {
    for (var each : records.entrySet()) {
      long start = channel.position();
      OutputStream to = CloseShieldOutputStream.wrap(Channels.newOutputStream(channel));
      streams.write(each.getValue(), each.getKey(), start, to);
      ranges
          .computeIfAbsent(each.getKey(), partition -> new ArrayList<>())
          .add(new Range(start, channel.position()));
    }
  }

  /** Copies all segments, partition by partition. */
  void copyTo(ShuffleMapOutputWriter output) throws IOException {
    for (var each : ranges.entrySet()) {
      try (WritableByteChannelWrapper to =
          output.getPartitionWriter(each.getKey()).openChannelWrapper().orElseThrow()) {
        for (Range range : each.getValue()) {
          copy(range, to.channel());
        }
      }
    }
  }

  private void copy(Range range, WritableByteChannel to) throws IOException {
    long at = range.start();
    while (at < range.end()) {
      long copied = channel.transferTo(at, range.end() - at, to);
      if (copied <= 0) {
        throw new IOException(file + " ends before byte " + range.end());
      }
      at += copied;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      Files.deleteIfExists(file.toPath());
    }
  }
}
