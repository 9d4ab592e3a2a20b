/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.cluster.internal.partition.RangeBlockPartitioner;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.scatter.LayoutShuffle;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Saves and loads a tensor in a directory: one file of blocks for each partition, and {@code
 * tensor.json}, which names them.
 */
public final class SavedTensor {
  public static final String MANIFEST = "tensor.json";
  private static final int FORMAT = 1;

  private SavedTensor() {}

  /**
   * The content of {@code tensor.json}.
   *
   * @param firstRows the first rows of the ranges, if the tensor is range-partitioned; else null
   * @param owners the partition of each range
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Manifest(
      int format,
      String dtype,
      long[] shape,
      int blockBytes,
      int partitions,
      @JsonSetter(nulls = Nulls.SET) long @Nullable [] firstRows,
      @JsonSetter(nulls = Nulls.SET) int @Nullable [] owners,
      List<String> files) {

    /**
     * Reads a manifest.
     *
     * @throws IOException if it has another format, or is damaged; it says why
     */
    public static Manifest read(InputStream in) throws IOException {
      ObjectNode tree = ManifestJson.tree(in.readAllBytes());
      ManifestJson.requireFormat(tree, FORMAT);
      tree.putIfAbsent("firstRows", tree.nullNode());
      tree.putIfAbsent("owners", tree.nullNode());
      Manifest manifest = ManifestJson.read(tree, Manifest.class);
      manifest.requireValid();
      return manifest;
    }

    private void requireValid() throws IOException {
      require(
          partitions > 0 && files.size() == partitions,
          "it names " + files.size() + " files for " + partitions + " partitions");
      require(blockBytes > 0, "blockBytes is " + blockBytes);
      require(hasValidRanges(), "firstRows and owners do not describe ranges");
      try {
        layout();
      } catch (SparkNdException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    private static void require(boolean isValid, String problem) throws IOException {
      if (!isValid) {
        throw new IOException(problem);
      }
    }

    private boolean hasValidRanges() {
      if (firstRows == null || owners == null) {
        return firstRows == null && owners == null;
      }
      boolean isAscending =
          IntStream.range(0, firstRows.length)
              .allMatch(i -> i == 0 ? firstRows[0] == 0 : firstRows[i] >= firstRows[i - 1]);
      return firstRows.length > 0
          && firstRows.length == owners.length
          && isAscending
          && IntStream.of(owners).allMatch(owner -> owner >= 0 && owner < partitions);
    }

    byte[] bytes() throws IOException {
      return ManifestJson.bytes(this);
    }

    BlockLayout layout() {
      Partitioning partitioning = new Partitioning(partitions, blockBytes);
      BlockLayout inTurn =
          BlockLayout.of(DType.named(dtype), Shape.of(shape), partitioning, partitions);
      return firstRows == null
          ? inTurn
          : inTurn.inRanges(partitions, firstRows, Objects.requireNonNull(owners));
    }
  }

  public static void save(TensorBlocks tensor, String directory) {
    BlockLayout layout = tensor.layout();
    SavedDirectory target = SavedDirectory.of(tensor.spark(), directory, MANIFEST, ".blocks");
    target.save(
        () ->
            PartitionTasks.collected(
                tensor
                    .rdd()
                    .map(
                        partition ->
                            target.write(
                                partition.index(),
                                out -> BlockFile.write(partition, layout.dtype().storage(), out)))),
        files -> manifest(layout, files).bytes());
  }

  private static Manifest manifest(BlockLayout layout, List<String> files) {
    RangeBlockPartitioner ranges =
        layout.rows() instanceof RangeBlockPartitioner byRange ? byRange : null;
    return new Manifest(
        FORMAT,
        layout.dtype().toString(),
        layout.shape().dims(),
        layout.partitioning().blockBytes(),
        layout.partitions(),
        ranges == null ? null : ranges.first(),
        ranges == null ? null : ranges.owner(),
        files);
  }

  public static TensorBlocks load(SparkSession spark, String directory, Partitioning partitioning) {
    HadoopFiles source = HadoopFiles.of(spark, directory);
    Manifest manifest = read(source);
    BlockLayout saved = manifest.layout();
    Partitioning sameBlocks = partitioning.withBlockBytes(manifest.blockBytes());
    BlockLayout requested = TensorSource.layout(spark, saved.dtype(), saved.shape(), sameBlocks);
    if (saved.rows() instanceof CyclicBlockPartitioner) {
      return persisted(load(spark, source, manifest, requested));
    }
    // the blocks of a range layout differ from those of another layout
    TensorBlocks same = load(spark, source, manifest, saved);
    boolean fits =
        partitioning.partitions() == 0 || partitioning.partitions() == saved.partitions();
    return fits ? persisted(same) : LayoutShuffle.run(same, requested);
  }

  private static TensorBlocks persisted(TensorBlocks tensor) {
    VersionLineage.persist(tensor.rdd(), 0);
    return tensor;
  }

  private static TensorBlocks load(
      SparkSession spark, HadoopFiles source, Manifest manifest, BlockLayout layout) {
    BlockLayout saved = manifest.layout();
    List<String> files = new ArrayList<>(manifest.files());
    JavaRDD<TensorPartition> rdd =
        TensorSource.numbers(spark, layout)
            .map(index -> partition(layout, saved, source, files, index));
    return TensorBlocks.of(spark, layout, rdd);
  }

  private static Manifest read(HadoopFiles source) {
    try (InputStream in = source.child(MANIFEST).open()) {
      return Manifest.read(in);
    } catch (IOException e) {
      throw ClusterErrors.notASavedTensor(source.toString(), e);
    }
  }

  private static TensorPartition partition(
      BlockLayout layout, BlockLayout saved, HadoopFiles source, List<String> files, int index) {
    TensorPartition empty = TensorPartition.filled(layout, index, null);
    Object[] blocks = empty.blocks().clone();
    List<List<Integer>> wanted = new ArrayList<>();
    for (int file = 0; file < files.size(); file++) {
      wanted.add(new ArrayList<>());
    }
    for (int local = 0; local < blocks.length; local++) {
      wanted.get(saved.owner(layout.firstElement(index, local))).add(local);
    }
    for (int file = 0; file < files.size(); file++) {
      if (!wanted.get(file).isEmpty()) {
        readBlocks(layout, saved, source.child(files.get(file)), index, wanted.get(file), blocks);
      }
    }
    return empty.with(blocks);
  }

  private static void readBlocks(
      BlockLayout layout,
      BlockLayout saved,
      HadoopFiles file,
      int index,
      List<Integer> wanted,
      Object[] blocks) {
    try (BlockFile reader = BlockFile.open(file, layout.dtype().storage())) {
      for (int local : wanted) {
        long place = saved.place(layout.firstElement(index, local)) / saved.blockElements();
        reader
            .read((int) place, layout.unitsIn(index, local))
            .ifPresent(array -> blocks[local] = array);
      }
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(file.toString(), e);
    }
  }
}
