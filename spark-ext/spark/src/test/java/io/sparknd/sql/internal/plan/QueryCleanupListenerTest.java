/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.execution.SQLExecution;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueryCleanupListenerTest {
  private final SparkContext spark = LocalSpark.session().sparkContext();

  @AfterEach
  void endQuery() {
    spark.setLocalProperty(SQLExecution.EXECUTION_ID_KEY(), null);
  }

  @Test
  void aQueryWithoutTensorsAddsNoListener() {
    spark.setLocalProperty(SQLExecution.EXECUTION_ID_KEY(), "-7");
    int before = spark.listenerBus().listeners().size();
    QueryCleanupListener.closeAfterQuery(spark, List.of());
    assertThat(spark.listenerBus().listeners()).hasSize(before);
  }

  @Test
  void aListenerWhoseQueryNeverEndsGoesWithItsTensors() throws InterruptedException {
    spark.setLocalProperty(SQLExecution.EXECUTION_ID_KEY(), "-8");
    int before = spark.listenerBus().listeners().size();
    addListener();
    assertThat(spark.listenerBus().listeners()).hasSize(before + 1);
    for (int i = 0; i < 100 && spark.listenerBus().listeners().size() > before; i++) {
      System.gc();
      LocalSpark.session().range(1).count(); // its events let the listener look
      Thread.sleep(20);
    }
    assertThat(spark.listenerBus().listeners()).hasSize(before);
  }

  /** In a frame of its own, which does not keep the RDD. */
  private void addListener() {
    JavaRDD<Integer> tensor = new JavaSparkContext(spark).parallelize(List.of(1));
    QueryCleanupListener.closeAfterQuery(spark, List.of(tensor));
  }
}
