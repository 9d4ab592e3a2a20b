/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import org.apache.spark.sql.SparkSession;

/** The Spark of this JVM: the one that runs already, or one that is stopped at the end. */
final class LocalSpark implements AutoCloseable {
  private final SparkSession session;
  private final Runnable end;

  private LocalSpark(SparkSession session, Runnable end) {
    this.session = session;
    this.end = end;
  }

  static LocalSpark start(String master) {
    if (SparkSession.getDefaultSession().isDefined()) {
      return new LocalSpark(SparkSession.getDefaultSession().get(), () -> {});
    }
    SparkSession session =
        SparkSession.builder()
            .master(master)
            .appName("sparknd demo")
            .config("spark.ui.enabled", "false")
            .config("spark.log.level", "ERROR")
            .getOrCreate();
    return new LocalSpark(session, session::stop);
  }

  SparkSession session() {
    return session;
  }

  @Override
  public void close() {
    end.run();
  }
}
