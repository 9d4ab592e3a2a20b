/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.List;

/**
 * The scatters of a commit, as a task folds them.
 *
 * @param parts the scatters, in the order in which they apply
 * @param kernel name of the kernel provider
 * @param rowErrors row errors of each scatter, to which duplicates are reported
 */
record CommitScatters(
    StoredTensor tensor, List<ScatterStage> parts, String kernel, List<RowErrors> rowErrors) {

  DType dtype() {
    return tensor.format().rows().dtype();
  }

  Storage storage() {
    return dtype().storage();
  }

  /** Returns the units of a row. */
  int units() {
    return tensor.format().rows().units();
  }

  /** Returns the rows of a full block. */
  long perBlock() {
    return tensor.format().perBlock();
  }

  /** Returns whether an updated row's new value depends on its old value. */
  boolean readRows() {
    return parts.stream().anyMatch(ScatterStage::readsRows);
  }
}
