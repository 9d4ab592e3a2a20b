/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What an online store has of a table, as the store records it.
 *
 * @param table name of the table
 * @param epoch number of the last step that began; a store takes rows of this step only
 * @param published the state whose rows the store has; empty if the first step did not end
 * @param pending the step that has not ended; empty if all have
 * @param columns the columns of the last step that ended, as {@link PublishedColumns#text}; with
 *     those of steps that did not end since, as {@link PublishedColumns#textAfter}, if they differ
 */
record SinkPosition(
    String table,
    UUID uuid,
    long epoch,
    Optional<TableState> published,
    Optional<PublishStep> pending,
    String columns) {
  private static final String TABLE = "table";
  private static final String UUID_OF_TABLE = "uuid";
  static final String EPOCH = "epoch";
  private static final String PUBLISHED = "published";
  private static final String PENDING = "pending";
  private static final String COLUMNS = "columns";

  /** The names of all {@link #fields}, in their order. */
  static final List<String> FIELDS =
      List.of(TABLE, UUID_OF_TABLE, EPOCH, PUBLISHED, PENDING, COLUMNS);

  /** Parses {@link #fields}; empty if one is missing or malformed. */
  static Optional<SinkPosition> of(Map<String, String> fields) {
    try {
      return Optional.of(
          new SinkPosition(
              text(fields, TABLE),
              UUID.fromString(text(fields, UUID_OF_TABLE)),
              Long.parseLong(text(fields, EPOCH)),
              Optional.of(text(fields, PUBLISHED))
                  .filter(text -> !text.isEmpty())
                  .map(TableState::parse),
              Optional.of(text(fields, PENDING))
                  .filter(text -> !text.isEmpty())
                  .map(PublishStep::parse),
              text(fields, COLUMNS)));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static String text(Map<String, String> fields, String name) {
    String text = fields.get(name);
    if (text == null) {
      throw new IllegalArgumentException(name);
    }
    return text;
  }

  /** Returns all fields as text, the same ones for every position. */
  Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(TABLE, table);
    fields.put(UUID_OF_TABLE, uuid.toString());
    fields.put(EPOCH, Long.toString(epoch));
    fields.put(PUBLISHED, published.map(TableState::toString).orElse(""));
    fields.put(PENDING, pending.map(PublishStep::toString).orElse(""));
    fields.put(COLUMNS, columns);
    return fields;
  }

  /** Returns the position when this one's step has ended, which published these columns. */
  SinkPosition ended(String published) {
    return new SinkPosition(
        table, uuid, epoch, pending.map(PublishStep::to), Optional.empty(), published);
  }
}
