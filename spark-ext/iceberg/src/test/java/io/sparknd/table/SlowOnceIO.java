/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.TwoHostCluster;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.OutputFile;
import org.apache.spark.TaskContext;

/** File IO in which the first task that creates a data file sleeps, if a setting names a file. */
public final class SlowOnceIO extends HadoopFileIO {
  /** A setting of Spark: the file that the first such task creates. */
  static final String MARKER = "spark.hadoop.sparknd.test.slow-once";

  @Override
  public OutputFile newOutputFile(String path) {
    String marker = conf().get(MARKER.substring("spark.hadoop.".length()));
    if (TaskContext.get() != null && path.endsWith(".parquet") && marker != null) {
      TwoHostCluster.sleepOnce(marker);
    }
    return super.newOutputFile(path);
  }
}
