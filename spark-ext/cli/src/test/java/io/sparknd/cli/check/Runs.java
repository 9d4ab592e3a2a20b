/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.LocalSpark;
import io.sparknd.cli.check.CaseRunner.Optionals;
import io.sparknd.cluster.Partitioning;
import java.util.ArrayList;
import java.util.List;

/** Runners of cases in the Spark session of the tests. */
final class Runs {
  private Runs() {}

  /** Both kernels and, for each of {@code partitions}, the cluster with tiny blocks. */
  static CaseRunner everywhere(int... partitions) {
    List<Engine> engines = new ArrayList<>(List.of(Engine.local("auto"), Engine.local("scalar")));
    for (int count : partitions) {
      Partitioning tiny = Partitioning.of(count).withBlockBytes(8);
      engines.add(Engine.cluster(LocalSpark.session(), tiny));
    }
    return new CaseRunner(engines, Optionals.RUN);
  }

  /** The kernels of this JVM only. */
  static CaseRunner locally() {
    return new CaseRunner(List.of(Engine.local("auto")), Optionals.RUN);
  }
}
