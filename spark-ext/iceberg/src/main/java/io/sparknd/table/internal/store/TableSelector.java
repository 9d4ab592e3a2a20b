/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A selector: the last part of a name such as {@code lake.features.users.branch_x}, as Iceberg
 * parses it.
 *
 * @param value the text after the prefix
 */
public record TableSelector(Kind kind, String value) {
  /** The kind of version that is selected. */
  public enum Kind {
    BRANCH("branch_(.+)"),
    TAG("tag_(.+)"),
    SNAPSHOT("snapshot_id_(\\d+)"),
    TIME("at_timestamp_(\\d+)");

    private final Pattern pattern;

    Kind(String pattern) {
      this.pattern = Pattern.compile(pattern);
    }
  }

  /** Parses a name; empty if it is not a selector. */
  public static Optional<TableSelector> parse(String name) {
    for (Kind kind : Kind.values()) {
      Matcher matcher = kind.pattern.matcher(name);
      if (matcher.matches()) {
        return Optional.of(new TableSelector(kind, matcher.group(1)));
      }
    }
    return Optional.empty();
  }

  /** Returns the snapshot id or the milliseconds; at most the largest long. */
  public long number() {
    return new BigInteger(value).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }
}
