/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import io.sparknd.docs.Block;
import io.sparknd.docs.SqlExample;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * Runs SQL blocks of pages, as {@code bin/sparknd sql} does.
 *
 * @param folder the folder of relative paths
 */
record SqlBlocks(SparkSession spark, Path folder) implements BlockRunner {

  @Override
  public boolean run(Block block) {
    if (!block.language().equals("sql")) {
      return false;
    }
    System.out.print(SqlExample.shown(spark, PageRun.inFolder(block.text(), folder)));
    return true;
  }
}
