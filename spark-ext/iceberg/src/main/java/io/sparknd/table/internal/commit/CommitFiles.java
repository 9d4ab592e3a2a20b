/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.block.DeletionVectorFile;
import io.sparknd.table.internal.store.StoredTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.CollectionAccumulator;

/** The files that the tasks of a commit and its driver write. */
final class CommitFiles {
  private final StoredTable table;
  private final String operation;
  private final CollectionAccumulator<String> ofTasks;
  private final List<DeletionVectorFile> vectors = new ArrayList<>();

  /**
   * @param operation operation id in the names of the files
   */
  CommitFiles(SparkSession spark, StoredTable table, String operation) {
    this.table = table;
    this.operation = operation;
    this.ofTasks = ofTasks(spark);
  }

  /**
   * Returns a new accumulator to which tasks add the locations of their files. It has no name: for
   * each task that ends, Spark copies the value of a named one, which here has all files so far.
   */
  static CollectionAccumulator<String> ofTasks(SparkSession spark) {
    return spark.sparkContext().collectionAccumulator();
  }

  /** Returns the accumulator to which tasks add the locations of their files. */
  CollectionAccumulator<String> ofTasks() {
    return ofTasks;
  }

  /**
   * Writes the deletion vectors that tasks left to the driver, and adds them to the results.
   *
   * @param noTask a partition number that no task has
   */
  List<BlockResult> withVectors(List<BlockResult> done, int noTask) {
    DeletionVectorFile file = new DeletionVectorFile(table, noTask, vectors.size(), operation);
    vectors.add(file);
    return file.write(done);
  }

  /** Returns the locations of all files written so far. */
  List<String> written() {
    return Stream.concat(
            ofTasks.value().stream(), vectors.stream().flatMap(file -> file.location().stream()))
        .toList();
  }
}
