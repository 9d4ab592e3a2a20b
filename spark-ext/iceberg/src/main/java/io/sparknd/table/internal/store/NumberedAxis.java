/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The numbered axis of a table, as its properties describe it: the first dimension of a tensor, or
 * the key of a feature table. Its size can change. A snapshot from before it shrank keeps the
 * greatest size that the axis has had since, so that none of its rows is out of bounds.
 *
 * @param column the column that counts from 0 to {@code size - 1}
 * @param property the property that holds the size
 * @param size number of entries in the table's current state
 * @param earlier sizes before the axis shrank, ascending by sequence number
 */
public record NumberedAxis(String column, String property, long size, List<EarlierSize> earlier) {
  /** Property: the sizes before the axis shrank, such as {@code 1000@7,500@9}. */
  public static final String HISTORY = "sparknd.size-history";

  private static final String SEPARATOR = ",";
  private static final String AT = "@";

  public NumberedAxis {
    earlier = List.copyOf(earlier);
  }

  /**
   * A change to fewer entries.
   *
   * @param size the size before
   * @param sequence sequence number of the first snapshot after the change
   */
  public record EarlierSize(long size, long sequence) {
    private static EarlierSize parse(String text) {
      String[] parts = text.split(AT, -1);
      return new EarlierSize(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    private String text() {
      return size + AT + sequence;
    }
  }

  /**
   * Returns the axis of a table; empty if its axis is labelled, or it is no table of SparkND.
   *
   * @throws io.sparknd.tensor.SparkNdException if a property is malformed
   */
  public static Optional<NumberedAxis> of(Map<String, String> properties) {
    String key = properties.get(TableProperties.KEY);
    String size = properties.get(TableProperties.SIZE);
    String shape = properties.get(TableProperties.SHAPE);
    String index = properties.get(TableProperties.INDEX_COLUMNS);
    List<EarlierSize> earlier = earlier(properties.get(HISTORY));
    if (key != null) {
      return size == null
          ? Optional.empty()
          : Optional.of(new NumberedAxis(key, TableProperties.SIZE, number(size), earlier));
    }
    return shape == null || index == null
        ? Optional.empty()
        : Optional.of(
            new NumberedAxis(
                index.split(SEPARATOR, 2)[0],
                TableProperties.SHAPE,
                Shape.parse(shape).dim(0),
                earlier));
  }

  private static long number(String size) {
    try {
      long number = Long.parseLong(size);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw TableErrors.badTableProperty(TableProperties.SIZE, size, "a positive number");
  }

  private static List<EarlierSize> earlier(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return List.of();
    }
    try {
      return Arrays.stream(text.split(SEPARATOR, -1)).map(EarlierSize::parse).toList();
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw TableErrors.badTableProperty(HISTORY, text, "a list of sizes, such as 1000@7,500@9");
    }
  }

  /**
   * Returns the size at a snapshot: the greatest since it was committed.
   *
   * @param snapshot null for a table without one
   */
  public long sizeAt(@Nullable Snapshot snapshot) {
    return snapshot == null
        ? size
        : earlier.stream()
            .filter(each -> each.sequence() > snapshot.sequenceNumber())
            .mapToLong(EarlierSize::size)
            .reduce(size, Math::max);
  }

  /**
   * Returns the properties of the axis with another size; a value is empty if the property is to be
   * removed.
   *
   * @param properties all properties of the table
   * @param sequence sequence number of the snapshot that the change commits
   * @param oldest the least sequence number of the table's snapshots
   * @throws io.sparknd.tensor.SparkNdException if a tensor of that size has too many elements
   */
  public Map<String, Optional<String>> resized(
      Map<String, String> properties, long to, long sequence, long oldest) {
    Map<String, Optional<String>> changes = new TreeMap<>();
    changes.put(property, Optional.of(value(properties, to)));
    List<EarlierSize> all = new ArrayList<>(earlier);
    if (to < size) {
      all.removeIf(each -> each.size() <= size);
      all.add(new EarlierSize(size, sequence));
    }
    String history =
        all.stream()
            .filter(each -> each.size() > to && each.sequence() > oldest)
            .map(EarlierSize::text)
            .collect(Collectors.joining(SEPARATOR));
    changes.put(HISTORY, history.isEmpty() ? Optional.empty() : Optional.of(history));
    return changes;
  }

  private String value(Map<String, String> properties, long to) {
    if (property.equals(TableProperties.SIZE)) {
      return Long.toString(to);
    }
    return withFirst(Shape.parse(String.valueOf(properties.get(property))), to).toString();
  }

  /** Returns the shape with another first dimension. */
  static Shape withFirst(Shape shape, long size) {
    return Shape.of(size).concat(shape.from(1));
  }
}
