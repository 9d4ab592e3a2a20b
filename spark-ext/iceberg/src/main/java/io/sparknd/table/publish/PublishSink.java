/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.publish;

import java.util.Optional;

/**
 * An online store that receives the rows of a feature table or a tensor table. It also holds the
 * position of the publication: the snapshot whose rows it has.
 */
public sealed interface PublishSink permits RedisSink, JdbcSink {

  /**
   * Returns the name of the publication in the store: the prefix of Redis keys, or a table of a
   * database; empty for the last part of the table's name.
   */
  Optional<String> name();

  /** Returns the form of values that have no type of the store's own. */
  ValueFormat values();

  /** Returns the store's address without credentials, for messages. */
  String address();
}
