/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cli.support.CliSession;
import io.sparknd.cluster.Partitioning;

/**
 * What every demo does with a job, whatever its input: starts Spark, runs the job, says what came
 * out, writes it and checks it.
 *
 * @param page where all is said
 * @param timings of the steps so far and to come
 * @param partitioning of every tensor
 * @param master URL of the Spark to run on
 * @param files where results go
 */
record DemoRun(
    TextReport page,
    StepTimings timings,
    Partitioning partitioning,
    String master,
    OutputFiles files) {

  /** Calls that the engine is to run. */
  interface Job {
    Findings run(CheckedEngine engine);
  }

  /** What there is to say about results beyond their shapes. */
  interface Findings {
    void report(TextReport page);

    /** Writes down what indices stand for. */
    void writeNames(OutputFiles files);
  }

  /**
   * Runs {@code job}.
   *
   * @return whether every result is that of the local kernel
   */
  boolean run(Job job) {
    try (CliSession spark =
            timings.measure("start Spark", () -> CliSession.open(master, "auto").withProgress());
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
