/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.OptionalLong;

/**
 * A loop whose runs are its steps.
 *
 * @param <S> a version of the table
 */
final class SteppedLoop<S> implements SparkPeer {
  private final StepForm<S> form;
  private final double added;
  private S version;

  /**
   * @param added the sum of all updates of a step
   */
  SteppedLoop(StepForm<S> form, double added) {
    this.form = form;
    this.added = added;
    this.version = form.first();
  }

  @Override
  public String name() {
    return form.name();
  }

  @Override
  public Role role() {
    return Role.CORRECT;
  }

  @Override
  public void run() {
    S next = form.next(version);
    form.free(version);
    version = next;
  }

  @Override
  public boolean goesOn() {
    return true;
  }

  /**
   * Returns the difference between the increase of the sum of all elements and the expected one.
   */
  @Override
  public OptionalLong answer() {
    double before = form.sum(version);
    run();
    return OptionalLong.of(Math.round(form.sum(version) - before - added));
  }

  @Override
  public void close() {
    form.free(version);
  }
}
