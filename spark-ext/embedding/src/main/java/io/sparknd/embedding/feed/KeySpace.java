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
 * @param missing what a missing value has
 * @param missingId the id of a missing value, if it has one of its own choice
 */
public record KeySpace(
    Kind kind, Optional<String> name, long first, Missing missing, OptionalLong missingId) {
  /** How ids are made. */
  public enum Kind {
    /** A hash of a name and the value. */
    HASHED,
    /** An integer itself; of a string, its hash. */
    PLAIN,
    /** The first id plus the value, which must be an integer, at least 0. */
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
    Objects.requireNonNull(missingId, "missingId");
    boolean isChosen = missing == Missing.CHOSEN_ID;
    if (isChosen != missingId.isPresent() || missing == Missing.OWN_KEY && kind != Kind.HASHED) {
      throw FeedErrors.keySpace(kind.name(), missing.name());
    }
  }

  /**
   * Hashes the column's name, as {@link TrainingColumns} has it, with the value. A missing value
   * has a key of its own.
   */
  public static KeySpace ofColumn() {
    return new KeySpace(Kind.HASHED, Optional.empty(), 0, Missing.OWN_KEY, OptionalLong.empty());
  }

  /**
   * Hashes {@code name} with the value, so that columns of the same space share rows. A missing
   * value has a key of its own.
   */
  public static KeySpace named(String name) {
    return new KeySpace(Kind.HASHED, Optional.of(name), 0, Missing.OWN_KEY, OptionalLong.empty());
  }

  /**
   * Uses integers as they are, and {@code EmbeddingKeys.of(string)} of strings, for all columns
   * alike. A missing value is an error.
   */
  public static KeySpace plain() {
    return new KeySpace(Kind.PLAIN, Optional.empty(), 0, Missing.ERROR, OptionalLong.empty());
  }

  /**
   * Uses {@code first + value}, for tables whose rows are numbers. A missing or a negative value is
   * an error.
   *
   * @param first id of value 0
   */
  public static KeySpace numbered(long first) {
    return new KeySpace(
        Kind.NUMBERED, Optional.empty(), first, Missing.ERROR, OptionalLong.empty());
  }

  /** Returns this space with {@code id} for missing values. */
  public KeySpace withMissing(long id) {
    return new KeySpace(kind, name, first, Missing.CHOSEN_ID, OptionalLong.of(id));
  }

  /** Returns this space with an error for missing values. */
  public KeySpace required() {
    return new KeySpace(kind, name, first, Missing.ERROR, OptionalLong.empty());
  }
}
