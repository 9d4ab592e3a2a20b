/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cli.support.CliSession;
import io.sparknd.cluster.options.Partitioning;

/**
 * Runs a demo job: starts Spark, runs the job, reports and writes its results, and checks them.
 *
 * @param page receives the report
 * @param timings of past and future steps
 * @param partitioning of every tensor
 * @param master URL of the Spark cluster
 * @param files for the results
 */
record DemoRun(
    TextReport page,
    StepTimings timings,
    Partitioning partitioning,
    String master,
    OutputFiles files) {

  /** The calls of a demo. */
  interface Job {
    Findings run(CheckedEngine engine);
  }

  /** Prints what results mean beyond their shapes. */
  interface Findings {
    void report(TextReport page);

    /** Writes the names that the indices stand for. */
    void writeNames(OutputFiles files);
  }

  /**
   * Runs {@code job}.
   *
   * @return whether every result equals that of the local kernel
   */
  boolean run(Job job) {
    try (CliSession spark =
            timings.measure("start Spark", () -> CliSession.open(master, null).withProgress());
        CheckedEngine engine = new CheckedEngine(spark.spark(), partitioning, timings)) {
      Findings findings = job.run(engine);
      CommonReport common = new CommonReport(page);
      common.tensors(engine.results());
      findings.report(page);
      timings.measure("write files", () -> write(engine, findings));
      common.files(files);
      common.times(timings);
      return common.check(engine.results());
    }
  }

  private OutputFiles write(CheckedEngine engine, Findings findings) {
    engine.results().forEach(files::tensor);
    findings.writeNames(files);
    return files;
  }
}
