/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.PathIdentifier;
import org.apache.spark.sql.connector.catalog.Identifier;

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

  /**
   * Returns the tag, snapshot or time that an identifier selects; empty if it selects none.
   * Iceberg's extensions append the session's branch, if it has one, to the identifier of a
   * relation.
   *
   * @param table the table that was loaded by it, whose own name may look like a selector
   */
  public static Optional<TableSelector> version(Identifier identifier, Table table) {
    return all(identifier, table)
        .flatMap(part -> parse(part).stream())
        .filter(selector -> selector.kind() != Kind.BRANCH)
        .findFirst();
  }

  /** Returns the last parts of an identifier that are not of the table's name. */
  private static Stream<String> all(Identifier identifier, Table table) {
    if (identifier instanceof PathIdentifier path) {
      String location = path.location();
      int hash = location.lastIndexOf('#');
      return hash < 0 ? Stream.of() : Stream.of(location.substring(hash + 1).split(","));
    }
    List<String> name = new ArrayList<>(List.of(identifier.namespace()));
    name.add(identifier.name());
    List<String> selectors = new ArrayList<>();
    while (!name.isEmpty() && !table.name().endsWith(String.join(".", name))) {
      selectors.add(name.remove(name.size() - 1));
    }
    return selectors.stream();
  }

  /** Returns the snapshot id or the milliseconds; at most the largest long. */
  public long number() {
    return new BigInteger(value).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }
}
