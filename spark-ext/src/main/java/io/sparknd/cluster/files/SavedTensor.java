/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.cluster.Partitioning;
import io.sparknd.cluster.fold.Lineage;
import io.sparknd.cluster.fold.Relayout;
import io.sparknd.cluster.layout.BlockLayout;
import io.sparknd.cluster.layout.InRanges;
import io.sparknd.cluster.layout.InTurn;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.layout.TensorPartition;
import io.sparknd.cluster.layout.TensorSource;
import io.sparknd.cluster.spark.TaskErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/**
 * A tensor in a directory: one file of blocks a partition, and {@code tensor.json}, which names
 * them. That file is written last, under another name, and renamed, so the directory holds a tensor
 * or does not, whatever fails before; files of failed attempts are in nobody's list.
 */
public final class SavedTensor {
  public static final String MANIFEST = "tensor.json";
  private static final int FORMAT = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private SavedTensor() {}

  /**
   * What {@code tensor.json} holds.
   *
   * @param firstRows of ranges of rows, where blocks are dealt by range; else null
   * @param owners the partition of each
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Manifest(
      int format,
      String dtype,
      long[] shape,
      int blockBytes,
      int partitions,
      long[] firstRows,
      int[] owners,
      List<String> files) {

    BlockLayout layout() {
      Partitioning partitioning = new Partitioning(partitions, blockBytes);
      BlockLayout inTurn =
          BlockLayout.of(DType.named(dtype), Shape.of(shape), partitioning, partitions);
      return firstRows == null ? inTurn : inTurn.inRanges(partitions, firstRows, owners);
    }
  }

  public static void save(TensorBlocks tensor, String directory) {
    Files target = Files.of(tensor.spark(), directory);
    claim(target);
    try {
      BlockLayout layout = tensor.layout();
      List<String> files =
          tensor.rdd().map(partition -> write(partition, layout.dtype(), target)).collect();
      removeOthers(target, files);
      commit(target, manifest(layout, files));
    } catch (IOException e) {
      deleteQuietly(target, e);
      throw NdErrors.unwritableFile(directory, e);
    } catch (Exception e) {
      deleteQuietly(target, e);
      throw TaskErrors.unwrapped(e);
    }
  }

  private static void claim(Files target) {
    try {
      if (target.exists() && target.list().length > 0) {
        throw NdErrors.directoryInTheWay(target.toString());
      }
      target.makeDirectory();
    } catch (IOException e) {
      throw NdErrors.unwritableFile(target.toString(), e);
    }
  }

  /** Each attempt has a file of its own; only that of the attempt that Spark accepts is named. */
  private static String write(TensorPartition partition, DType dtype, Files directory)
      throws IOException {
    String name = String.format("part-%05d-%s.blocks", partition.index(), UUID.randomUUID());
    try (OutputStream out = directory.child(name).create()) {
      BlockFile.write(partition, dtype.storage(), out);
    }
    return name;
  }

  private static void removeOthers(Files target, List<String> files) throws IOException {
    Set<String> named = new HashSet<>(files);
    for (FileStatus status : target.list()) {
      String name = status.getPath().getName();
      if (name.endsWith(".blocks") && !named.contains(name)) {
        target.child(name).delete();
      }
    }
  }

  private static Manifest manifest(BlockLayout layout, List<String> files) {
    InRanges ranges = layout.rows() instanceof InRanges dealt ? dealt : null;
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

  private static void commit(Files target, Manifest manifest) throws IOException {
    Files draft = target.child("." + MANIFEST + "." + UUID.randomUUID());
    try (OutputStream out = draft.create()) {
      out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest));
    }
    draft.renameTo(target.child(MANIFEST));
  }

  private static void deleteQuietly(Files target, Exception failure) {
    try {
      target.delete();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  public static TensorBlocks load(SparkSession spark, String directory, Partitioning partitioning) {
    Files source = Files.of(spark, directory);
    Manifest manifest = read(source);
    BlockLayout saved = manifest.layout();
    Partitioning sameBlocks = partitioning.withBlockBytes(manifest.blockBytes());
    BlockLayout asked = TensorSource.layout(spark, saved.dtype(), saved.shape(), sameBlocks);
    if (saved.rows() instanceof InTurn) {
      return load(spark, source, manifest, asked);
    }
    // blocks that follow ranges are not those of another layout
    TensorBlocks same = load(spark, source, manifest, saved);
    boolean fits =
        partitioning.partitions() == 0 || partitioning.partitions() == saved.partitions();
    return fits ? same : Relayout.run(same, asked);
  }

  private static TensorBlocks load(
      SparkSession spark, Files source, Manifest manifest, BlockLayout layout) {
    BlockLayout saved = manifest.layout();
    List<String> files = new ArrayList<>(manifest.files());
    JavaRDD<TensorPartition> rdd =
        TensorSource.numbers(spark, layout)
            .map(index -> partition(layout, saved, source, files, index));
    Lineage.keep(rdd, 0);
    return TensorBlocks.of(spark, layout, rdd);
  }

  private static Manifest read(Files source) {
    try (InputStream in = source.child(MANIFEST).open()) {
      Manifest manifest = JSON.readValue(in, Manifest.class);
      if (manifest.format() != FORMAT || manifest.files().size() != manifest.partitions()) {
        throw NdErrors.notASavedTensor(source.toString(), null);
      }
      return manifest;
    } catch (IOException e) {
      throw NdErrors.notASavedTensor(source.toString(), e);
    }
  }

  private static TensorPartition partition(
      BlockLayout layout, BlockLayout saved, Files source, List<String> files, int index) {
    TensorPartition empty = TensorPartition.filled(layout, index, null);
    Object[] blocks = empty.blocks();
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
    return TensorPartition.of(layout.dtype().storage(), index, blocks);
  }

  private static void readBlocks(
      BlockLayout layout,
      BlockLayout saved,
      Files file,
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
      throw NdErrors.unreadableFile(file.toString(), e);
    }
  }
}
