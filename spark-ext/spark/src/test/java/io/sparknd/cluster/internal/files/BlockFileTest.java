/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that damage of a saved partition is found. */
class BlockFileTest {
  /** Blocks of 16, 16 and 8 rows of 64 float32. */
  private static final int[] UNITS = {1024, 1024, 512};

  /** Position, length and checksum of each block, their number and a magic number. */
  private static final int INDEX = 3 * (8 + 8 + 4) + 4 + 8;

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path folder;

  /** Returns the file of a tensor whose second block has zeros only. */
  private byte[] saved() throws IOException {
    ScatterCall call =
        ScatterCall.of(
            Scatter.update(),
            Tensor.wrap(DType.INT64, Shape.of(2, 1), new long[] {3, 35}),
            Tensor.fill(DType.FLOAT32, Shape.of(2, 64), 1));
    Partitioning one = new Partitioning(1, 4096);
    Path directory = folder.resolve("saved");
    try (DistributedTensor zeros =
            DistributedTensor.zeros(spark, DType.FLOAT32, Shape.of(40, 64), one);
        DistributedTensor written = zeros.scatter(call)) {
      written.save(directory.toString());
    }
    try (Stream<Path> files = Files.list(directory)) {
      Path file =
          files.filter(path -> path.getFileName().toString().startsWith("part-")).findAny().get();
      return Files.readAllBytes(file);
    }
  }

  private List<Object> read(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("copy"), bytes);
    List<Object> blocks = new ArrayList<>();
    try (BlockFile open = BlockFile.open(HadoopFiles.of(spark, file.toString()), Storage.FLOAT)) {
      for (int place = 0; place < UNITS.length; place++) {
        blocks.add(open.read(place, UNITS[place]).orElse("zeros"));
      }
    }
    return blocks;
  }

  /** A length of 4096, with one bit changed, is that of a block of zeros. */
  @Test
  void aChangedBitOfTheIndexIsFoundOrChangesNothing() throws IOException {
    byte[] bytes = saved();
    List<Object> blocks = read(bytes);
    assertThat(blocks.get(1)).isEqualTo("zeros");
    assertThat(blocks.get(0)).isInstanceOf(float[].class);
    int found = 0;
    for (int bit = 8 * (bytes.length - INDEX); bit < 8 * bytes.length; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(Arrays.deepEquals(read(changed).toArray(), blocks.toArray()))
            .as("bit %d", bit)
            .isTrue();
      } catch (SparkNdException e) {
        assertThat(e.condition()).isEqualTo("SPARKND_INVALID_SAVED_TENSOR.DAMAGED_BLOCKS");
        found++;
      }
    }
    // all but the checksum of zeros
    assertThat(found).isEqualTo(8 * INDEX - 32);
  }
}
