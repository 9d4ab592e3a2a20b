/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal;

/** Names in an HNSW index. */
public final class IndexFields {
  /** The field of vectors. */
  public static final String EMBEDDING = "embedding";

  /** The field of ids, as doc values. */
  public static final String ID = "id";

  /**
   * The field of numbers of rows, as doc values of documents with a vector: those of the other rows
   * with it follow. Indexes of earlier versions have a vector in each document, and no such field.
   */
  public static final String ROWS = "rows";

  /**
   * The key of the version of the index's format. Earlier versions have none, and are told apart by
   * {@link #EXPONENT} and {@link #ROWS}.
   */
  public static final String FORMAT = "sparknd.format";

  /** The version that is written; it and indexes without a version are read. */
  public static final String CURRENT_FORMAT = "1";

  /** The key of the metric's name in the user data of the commit. */
  public static final String METRIC = "sparknd.metric";

  /** The key of the number of elements of a vector. */
  public static final String DIM = "sparknd.dim";

  /**
   * The key of the exponent of the power of two that rows are multiplied by. Earlier versions have
   * none, and rows as they are.
   */
  public static final String EXPONENT = "sparknd.exponent";

  private IndexFields() {}
}
