/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.feed;

import io.sparknd.embedding.internal.FeedErrors;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Defines the row id of a categorical value. In one table, two columns share rows if and only if
 * their ids are equal.
 *
 * <p>Hashed ids are for {@link io.sparknd.embedding.EmbeddingSpec#keyed} tables. They are those of
 * SQL's {@code xxhash64(name, value)}, with integers as {@code bigint}, and of {@link
 * io.sparknd.embedding.EmbeddingKeys}.
 *
 * @param kind how ids are made
 * @param name name of the space; empty for the name of each column
 * @param first id of value 0, for numbers
 * @param count number of values, for numbers; empty if there is no bound
 * @param missing what a missing value has
 * @param missingId the id of a missing value, if it has one of its own choice
 */
public record KeySpace(
    Kind kind,
    Optional<String> name,
    long first,
    OptionalLong count,
    Missing missing,
    OptionalLong missingId) {
  /** How ids are made. */
  public enum Kind {
    /** A hash of a name and the value. */
    HASHED,
    /** An integer itself; of a string, its hash. */
    PLAIN,
    /** The first id plus the value, which must be an integer, at least 0 and below the count. */
    NUMBERED
  }

  /** What a missing value has. */
  public enum Missing {
    /** The hash of the name alone. */
    OWN_KEY,
    /** An id that the caller chooses. */
    CHOSEN_ID,
    /** No id: it is an error. */
    ERROR
  }

  public KeySpace {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(count, "count");
    Objects.requireNonNull(missingId, "missingId");
    boolean isChosen = missing == Missing.CHOSEN_ID;
    if (isChosen != missingId.isPresent() || missing == Missing.OWN_KEY && kind != Kind.HASHED) {
      throw FeedErrors.keySpace(kind.name(), missing.name());
    }
    if (count.isPresent() && (kind != Kind.NUMBERED || !isRange(first, count.getAsLong()))) {
      throw FeedErrors.keyCount(kind.name(), first, count.getAsLong());
    }
  }

  private static boolean isRange(long first, long count) {
    return count > 0 && (first <= 0 || count - 1 <= Long.MAX_VALUE - first);
  }

  /**
   * Hashes the column's name, as {@link TrainingColumns} has it, with the value. A missing value
   * has a key of its own.
   */
  public static KeySpace ofColumn() {
    return hashed(Optional.empty());
  }

  /**
   * Hashes {@code name} with the value, so that columns of the same space share rows: all of
   * integers, or all of strings. A missing value has a key of its own.
   */
  public static KeySpace named(String name) {
    return hashed(Optional.of(name));
  }

  private static KeySpace hashed(Optional<String> name) {
    OptionalLong none = OptionalLong.empty();
    return new KeySpace(Kind.HASHED, name, 0, none, Missing.OWN_KEY, none);
  }

  /**
   * Uses integers as they are, and {@code EmbeddingKeys.of(string)} of strings, for all columns
   * alike. A missing value is an error. In a table that has hashed columns, too, a plain string
   * that is the name of their space is the key of their missing values.
   */
  public static KeySpace plain() {
    OptionalLong none = OptionalLong.empty();
    return new KeySpace(Kind.PLAIN, Optional.empty(), 0, none, Missing.ERROR, none);
  }

  /**
   * Uses {@code first + value}, for tables whose rows are numbers. A missing or a negative value is
   * an error; so is one that is no row of the table, but not one that is a row of a column with a
   * greater {@code first}: see {@link #numbered(long, long)}.
   *
   * @param first id of value 0
   */
  public static KeySpace numbered(long first) {
    return numbered(first, OptionalLong.empty());
  }

  /**
   * Uses {@code first + value} for values in {@code [0, count)}, for tables whose rows are numbers
   * of several columns. A missing or any other value is an error.
   *
   * @param first id of value 0
   */
  public static KeySpace numbered(long first, long count) {
    return numbered(first, OptionalLong.of(count));
  }

  private static KeySpace numbered(long first, OptionalLong count) {
    return new KeySpace(
        Kind.NUMBERED, Optional.empty(), first, count, Missing.ERROR, OptionalLong.empty());
  }

  /** Returns this space with {@code id} for missing values. */
  public KeySpace withMissing(long id) {
    return new KeySpace(kind, name, first, count, Missing.CHOSEN_ID, OptionalLong.of(id));
  }

  /** Returns this space with an error for missing values. */
  public KeySpace required() {
    return new KeySpace(kind, name, first, count, Missing.ERROR, OptionalLong.empty());
  }
}
