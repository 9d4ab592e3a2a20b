/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.spark.sql.SparkSession;

/** A tensor several times the size of the heap: loads it, adds to random rows and gathers them. */
final class LargeTensor {
  private static final int WIDTH = 64;
  private static final int TOUCHED = 1_000_000;
  private static final double GIB = 1 << 30;

  private final SparkSession spark;
  private final Path directory;
  private final long rows;

  LargeTensor(SparkSession spark, Path directory, long rows) {
    this.spark = spark;
    this.directory = directory;
    this.rows = rows;
  }

  SparkWork work() {
    String title =
        String.format(
            "add to %,d rows of a tensor of %.0f GiB, heap %.0f GiB",
            TOUCHED,
            rows * WIDTH * Float.BYTES / GIB,
            Math.ceil(Runtime.getRuntime().maxMemory() / GIB));
    return new SparkWork(
        "memory", title, 20, QueryRounds.ONCE, () -> List.of(new AddToAll(), new CopyFile()));
  }

  /**
   * Creates an {@code .npy} file of zeros. Its data is a sparse-file hole, so that reading it
   * hardly takes time.
   */
  private Path file() {
    Path file = directory.resolve("zeros-" + rows + ".npy");
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] header = header();
      out.write(header);
      out.setLength(header.length + rows * WIDTH * Float.BYTES);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] header() {
    int room = 128;
    String dict =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (" + rows + ", " + WIDTH + "), }";
    String text = dict + " ".repeat(room - 11 - dict.length()) + "\n";
    byte[] bytes = ("\u0093NUMPY\1\0v\0" + text).getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length != room) {
      throw new IllegalStateException("header of " + bytes.length + " bytes");
    }
    return bytes;
  }

  private final class AddToAll implements SparkPeer {
    @Override
    public String name() {
      return "SparkND";
    }

    @Override
    public Role role() {
      return Role.OURS;
    }

    @Override
    public void run() {
      long[] touched = new SplittableRandom(5).longs(TOUCHED, 0, rows).toArray();
      Tensor indices = Tensor.wrap(DType.INT64, Shape.of(TOUCHED, 1), touched);
      Tensor ones = Tensor.fill(DType.FLOAT32, Shape.of(TOUCHED, WIDTH), 1);
      try (DistributedTensor zeros =
              DistributedTensor.fromNpy(spark, file().toString(), Partitioning.AUTO);
          DistributedTensor added = zeros.scatter(ScatterCall.of(Scatter.add(), indices, ones));
          DistributedTensor requested = added.gather(GatherCall.of(Gather.strict(), indices))) {
        check((float[]) requested.collect().array());
      }
    }

    private void check(float[] requested) {
      for (float element : requested) {
        if (element < 1) {
          throw new IllegalStateException("an update is lost");
        }
      }
    }

    /** Empty: each run checks its own result. */
    @Override
    public OptionalLong answer() {
      return OptionalLong.empty();
    }
  }

  /** The limit of the disk: reads and writes as many bytes once. */
  private final class CopyFile implements SparkPeer {
    @Override
    public String name() {
      return "a copy of the file";
    }

    @Override
    public Role role() {
      return Role.CORRECT;
    }

    @Override
    public void run() {
      Path copy = directory.resolve("copy.npy");
      try (FileChannel in = FileChannel.open(file());
          RandomAccessFile out = new RandomAccessFile(copy.toFile(), "rw")) {
        copy(in, out);
        Files.delete(copy);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void copy(FileChannel in, RandomAccessFile out) throws IOException {
      java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocateDirect(1 << 20);
      while (in.read(buffer) >= 0) {
        out.getChannel().write(buffer.flip());
        buffer.clear();
      }
    }

    @Override
    public OptionalLong answer() {
      return OptionalLong.empty();
    }
  }
}
