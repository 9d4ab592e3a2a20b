/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/**
 * What stores in the Iceberg catalog have in common: a table that is restored after each update.
 */
abstract class LakeStore implements TableFiles {
  private final Mode mode;
  private final Lake lake;

  LakeStore(Mode mode, Lake lake) {
    this.mode = mode;
    this.lake = lake;
  }

  Lake lake() {
    return lake;
  }

  /** Whether updates rewrite files or write deletes. */
  public Mode mode() {
    return mode;
  }

  /** Restores the table to its initial state. */
  public void restore() {
    lake.restore();
  }

  @Override
  public long files() {
    return lake.files();
  }

  @Override
  public long bytesAdded() {
    return lake.bytesAdded();
  }
}
