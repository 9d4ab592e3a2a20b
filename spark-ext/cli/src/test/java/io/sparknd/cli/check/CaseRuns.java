/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.LocalSpark;
import io.sparknd.cli.check.CaseRunner.Optionals;
import io.sparknd.cluster.options.Partitioning;
import java.util.ArrayList;
import java.util.List;

/** Creates case runners for the Spark session of the tests. */
final class CaseRuns {
  private CaseRuns() {}

  /**
   * Returns a runner for both kernels and, for each of {@code partitions}, the cluster with blocks
   * of 8 bytes.
   */
  static CaseRunner everywhere(int... partitions) {
    List<CaseEngine> engines =
        new ArrayList<>(List.of(CaseEngine.local("auto"), CaseEngine.local("scalar")));
    for (int count : partitions) {
      Partitioning tiny = Partitioning.of(count).withBlockBytes(8);
      engines.add(CaseEngine.cluster(LocalSpark.session(), tiny));
    }
    return new CaseRunner(engines, Optionals.RUN);
  }

  /** Returns a runner for the local kernels only. */
  static CaseRunner locally() {
    return new CaseRunner(List.of(CaseEngine.local("auto")), Optionals.RUN);
  }
}
