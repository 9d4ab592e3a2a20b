/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.store.BlockField;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.transforms.PartitionSpecVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The partition specs of a feature table: buckets of one key column, or ranges of a numbered one.
 *
 * <p>A table that was adopted may have files of other specs. With a labelled axis, all of its rows
 * are then one block, as if there were one bucket, until the files are compacted.
 *
 * <p>Void fields, which format version 1 keeps of fields that were dropped, do not count.
 */
public final class BucketSpecs {
  /** The block of files without a key; rows without one are sought in block -1. */
  public static final long NO_KEYS = -2;

  private final String name;
  private final Table table;
  private final FeatureAxis axis;

  /**
   * @param name the table's name, for messages
   */
  BucketSpecs(String name, Table table, FeatureAxis axis) {
    this.name = name;
    this.table = table;
    this.axis = axis;
  }

  /** Returns the number of buckets of a spec; 0 if it is not one bucket field. */
  public static int buckets(PartitionSpec spec) {
    return only(spec, new Buckets());
  }

  /** Returns the width of the ranges of a spec; 0 if it is not one range field. */
  public static int width(PartitionSpec spec) {
    return only(spec, new Widths());
  }

  /**
   * Returns the number of buckets of a column that new files have, or had before others changed the
   * partition fields; 0 if no spec is one bucket field of the column.
   */
  static int newest(Table table, int column) {
    return Stream.concat(
            Stream.of(table.spec()),
            table.specs().values().stream()
                .sorted(Comparator.comparing(PartitionSpec::specId).reversed()))
        .filter(spec -> buckets(spec) > 0 && field(spec).sourceId() == column)
        .findFirst()
        .map(BucketSpecs::buckets)
        .orElse(0);
  }

  /** Returns what a visitor returns for the one field of a spec; 0 for null, or other specs. */
  private static int only(PartitionSpec spec, PartitionSpecVisitor<Integer> visitor) {
    int position = position(spec);
    Integer found = position < 0 ? null : PartitionSpecVisitor.visit(spec, visitor).get(position);
    return found == null ? 0 : found;
  }

  /** Returns the one field of a spec; others have no {@link #position}. */
  public static PartitionField field(PartitionSpec spec) {
    return spec.fields().get(position(spec));
  }

  /**
   * Returns the position of the one field of a spec.
   *
   * @return -1 if there is none, or several
   */
  static int position(PartitionSpec spec) {
    int found = -1;
    for (int i = 0; i < spec.fields().size(); i++) {
      if (!spec.fields().get(i).transform().isVoid()) {
        if (found >= 0) {
          return -1;
        }
        found = i;
      }
    }
    return found;
  }

  /**
   * Checks that the table's current spec, which new files have, is one of its axis.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is not
   */
  void requireCurrent() {
    if (!isOfAxis(table.spec())) {
      throw blockField().changed(name, table);
    }
  }

  /**
   * Checks that the table has, or had before others changed it, a spec of its axis.
   *
   * @throws io.sparknd.tensor.SparkNdException if it has not
   */
  void requireAny() {
    if (table.specs().values().stream().noneMatch(this::isOfAxis)) {
      throw TableErrors.wrongPartitioning(name, table.spec().toString(), wanted());
    }
  }

  private BlockField blockField() {
    if (axis instanceof FeatureAxis.Numbered numbered) {
      int column = numbered.columns().get(0).fieldId();
      return new BlockField("truncate", numbered.rowsPerBlock(), column);
    }
    FeatureAxis.Labelled labelled = (FeatureAxis.Labelled) axis;
    return new BlockField("bucket", labelled.buckets(), labelled.bucketColumn().fieldId());
  }

  /** Returns whether files of a spec have as many buckets as the axis, or its ranges. */
  boolean isOfNewFiles(PartitionSpec spec) {
    return isOfAxis(spec)
        && (!(axis instanceof FeatureAxis.Labelled labelled)
            || buckets(spec) == labelled.buckets());
  }

  private boolean isOfAxis(PartitionSpec spec) {
    if (position(spec) < 0) {
      return false;
    }
    PartitionField field = field(spec);
    if (axis instanceof FeatureAxis.Numbered numbered) {
      return width(spec) == numbered.rowsPerBlock()
          && field.sourceId() == numbered.columns().get(0).fieldId();
    }
    FeatureAxis.Labelled labelled = (FeatureAxis.Labelled) axis;
    int buckets = buckets(spec);
    return buckets > 0
        && labelled.buckets() % buckets == 0
        && field.sourceId() == labelled.bucketColumn().fieldId();
  }

  /** Returns the number of buckets of a labelled axis; 1 for other partitions. */
  private int bucketsOrOne(PartitionSpec spec) {
    return isOfAxis(spec) ? buckets(spec) : 1;
  }

  private String wanted() {
    return axis instanceof FeatureAxis.Numbered numbered
        ? "truncate[" + numbered.rowsPerBlock() + "](" + numbered.columns().get(0).name() + ")"
        : "bucket(" + ((FeatureAxis.Labelled) axis).bucketColumn().name() + ")";
  }

  /** Returns the number of blocks if files have these specs; 0 for a numbered axis. */
  int blocks(List<Integer> specIds) {
    if (axis instanceof FeatureAxis.Labelled labelled) {
      int common = labelled.buckets();
      for (int id : specIds) {
        common = divisor(common, bucketsOrOne(Objects.requireNonNull(table.specs().get(id))));
      }
      return common;
    }
    return 0;
  }

  /** Returns the greatest common divisor: buckets of both numbers are whole in as many blocks. */
  private static int divisor(int one, int other) {
    return other == 0 ? one : divisor(other, one % other);
  }

  /**
   * Returns the block of a file; {@link #NO_KEYS} if no row of it has a value in the column that
   * partitions the table, which others may have written.
   *
   * @param blocks number of blocks of a labelled axis
   */
  long block(PartitionSpec spec, StructLike partition, int blocks) {
    if (axis instanceof FeatureAxis.Numbered numbered) {
      int position = blockField().position(spec);
      if (position < 0) {
        throw TableErrors.wrongPartitioning(name, spec.toString(), wanted());
      }
      // an Integer in snapshots from before the column was promoted
      Number from = partition.get(position, Number.class);
      return from == null ? NO_KEYS : from.longValue() / numbered.rowsPerBlock();
    }
    if (blocks == 1) {
      return 0;
    }
    if (bucketsOrOne(spec) % blocks != 0) { // the table was rolled back to fewer buckets
      throw TableErrors.wrongPartitioning(name, spec.toString(), "at least " + blocks + " buckets");
    }
    Integer bucket = partition.get(position(spec), Integer.class);
    return bucket == null ? NO_KEYS : bucket % blocks;
  }

  /** Returns the number of buckets of a bucket field; null for others. */
  private static class Buckets extends Other {
    @Override
    public Integer bucket(int fieldId, String sourceName, int sourceId, int numBuckets) {
      return numBuckets;
    }
  }

  /** Returns the width of a truncated field; null for others. */
  private static class Widths extends Other {
    @Override
    public Integer truncate(int fieldId, String sourceName, int sourceId, int width) {
      return width;
    }
  }

  private static class Other implements PartitionSpecVisitor<Integer> {
    @Override
    public @Nullable Integer identity(int fieldId, String sourceName, int sourceId) {
      return null;
    }

    @Override
    public @Nullable Integer bucket(int fieldId, String sourceName, int sourceId, int numBuckets) {
      return null;
    }

    @Override
    public @Nullable Integer truncate(int fieldId, String sourceName, int sourceId, int width) {
      return null;
    }

    @Override
    public @Nullable Integer year(int fieldId, String sourceName, int sourceId) {
      return null;
    }

    @Override
    public @Nullable Integer month(int fieldId, String sourceName, int sourceId) {
      return null;
    }

    @Override
    public @Nullable Integer day(int fieldId, String sourceName, int sourceId) {
      return null;
    }

    @Override
    public @Nullable Integer hour(int fieldId, String sourceName, int sourceId) {
      return null;
    }

    @Override
    public @Nullable Integer alwaysNull(int fieldId, String sourceName, int sourceId) {
      return null;
    }

    @Override
    public @Nullable Integer unknown(
        int fieldId, String sourceName, int sourceId, String transform) {
      return null;
    }
  }
}
