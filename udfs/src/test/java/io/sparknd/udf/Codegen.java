/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.SparkSession;

/** Whether Spark runs generated or interpreted code. */
enum Codegen {
  ON("true", "CODEGEN_ONLY"),
  OFF("false", "NO_CODEGEN");

  private final String wholeStage;
  private final String factory;

  Codegen(String wholeStage, String factory) {
    this.wholeStage = wholeStage;
    this.factory = factory;
  }

  /**
   * Runs {@code work} in this mode, without optimizer rules that would evaluate local rows
   * themselves.
   */
  void run(SparkSession spark, Runnable work) {
    spark.conf().set("spark.sql.codegen.wholeStage", wholeStage);
    spark.conf().set("spark.sql.codegen.factoryMode", factory);
    spark
        .conf()
        .set(
            "spark.sql.optimizer.excludedRules",
            "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation");
    try {
      work.run();
    } finally {
      spark.conf().unset("spark.sql.codegen.wholeStage");
      spark.conf().unset("spark.sql.codegen.factoryMode");
      spark.conf().unset("spark.sql.optimizer.excludedRules");
    }
  }
}
