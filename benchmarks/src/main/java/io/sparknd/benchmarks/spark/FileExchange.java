/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * The least that an exchange through files does: every source writes the bytes of its updates to a
 * file in their order, and every owner reads an equal part of each file.
 *
 * @param updates int64 ids and values of {@link Size#WIDTH} float32
 * @param owners the tasks that read
 * @param temporary where the files are, until the end of a run
 */
record FileExchange(JavaPairRDD<Long, float[]> updates, int owners, Path temporary)
    implements SparkPeer {
  private static final int VALUE = Float.BYTES * Size.WIDTH;
  private static final int UPDATE = Long.BYTES + VALUE;
  private static final int CHUNK = 4096 * UPDATE;

  @Override
  public String name() {
    return "the updates' bytes written and read in order";
  }

  @Override
  public Role role() {
    return Role.FLOOR;
  }

  @Override
  public void run() {
    int sources = updates.getNumPartitions();
    try {
      Path directory = Files.createTempDirectory(temporary, "exchange");
      try {
        exchange(directory.toString(), sources);
      } finally {
        for (int source = 0; source < sources; source++) {
          Files.deleteIfExists(file(directory.toString(), source));
        }
        Files.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void exchange(String directory, int sources) {
    updates.foreachPartition(pairs -> write(file(directory, TaskContext.getPartitionId()), pairs));
    int parts = owners;
    JavaSparkContext.fromSparkContext(updates.context())
        .parallelize(IntStream.range(0, parts).boxed().toList(), parts)
        .foreach(
            owner -> {
              for (int source = 0; source < sources; source++) {
                read(file(directory, source), owner, parts);
              }
            });
  }

  private static Path file(String directory, int source) {
    return Path.of(directory, "source-" + source);
  }

  private static void write(Path file, Iterator<Tuple2<Long, float[]>> pairs) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK).order(ByteOrder.nativeOrder());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (pairs.hasNext()) {
        Tuple2<Long, float[]> pair = pairs.next();
        chunk.putLong(pair._1()).asFloatBuffer().put(pair._2());
        chunk.position(chunk.position() + VALUE);
        if (!chunk.hasRemaining() || !pairs.hasNext()) {
          writeAll(channel, chunk.flip());
        }
      }
    }
  }

  private static void writeAll(FileChannel channel, ByteBuffer chunk) throws IOException {
    while (chunk.hasRemaining()) {
      channel.write(chunk);
    }
    chunk.clear();
  }

  private static void read(Path file, int part, int parts) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
    try (FileChannel channel = FileChannel.open(file)) {
      long end = channel.size() * (part + 1) / parts;
      long at = channel.size() * part / parts;
      while (at < end) {
        chunk.clear().limit((int) Math.min(CHUNK, end - at));
        at += channel.read(chunk, at);
      }
    }
  }

  @Override
  public OptionalLong answer() {
    return OptionalLong.empty();
  }
}
