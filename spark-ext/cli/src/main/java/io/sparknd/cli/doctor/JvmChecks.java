/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import io.sparknd.cli.doctor.DoctorFinding.Need;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.IcebergBuild;
import org.apache.spark.package$;

/** Checks of this JVM and its class path. */
final class JvmChecks {
  private static final String BUILD =
      "remove spark-ext/dist/target, so that bin/sparknd builds anew";

  private JvmChecks() {}

  static DoctorFinding jdk() {
    return jdk(Runtime.version(), sparkVersion(), SparkJdks.read());
  }

  static DoctorFinding jdk(Runtime.Version version, Optional<String> spark, SparkJdks table) {
    int jdk = version.feature();
    DoctorFinding found =
        DoctorFinding.ok("JDK", Need.REQUIRED, version + ", " + System.getProperty("java.home"));
    List<Integer> fit = spark.map(table::of).orElse(List.of());
    if (fit.isEmpty() || fit.contains(jdk)) {
      return found;
    }
    String others = table.sparksOf(jdk);
    return found.unusable(
        "Spark " + spark.get() + " does not run on JDK " + jdk,
        "every command but doctor and completion",
        "set JAVA_HOME to a JDK "
            + SparkJdks.text(fit)
            + (others.isEmpty() ? "" : ", or build with Spark " + others));
  }

  static DoctorFinding spark() {
    return sparkVersion()
        .map(version -> spark(version, SparkJdks.read()))
        .orElseGet(
            () ->
                DoctorFinding.missing(
                    "Spark",
                    Need.REQUIRED,
                    "its jars are not on the class path",
                    "every command but doctor and completion",
                    BUILD));
  }

  static DoctorFinding spark(String version, SparkJdks table) {
    List<Integer> jdks = table.of(version);
    if (jdks.isEmpty()) {
      return DoctorFinding.ok("Spark", Need.REQUIRED, version)
          .unusable(
              "SparkND is not tested with it",
              "errors where its internals differ",
              "build with Spark " + String.join(" or ", table.lines().keySet()));
    }
    return DoctorFinding.ok(
        "Spark", Need.REQUIRED, version + ", which runs on JDK " + SparkJdks.text(jdks));
  }

  private static Optional<String> sparkVersion() {
    try {
      return Optional.of(package$.MODULE$.SPARK_VERSION());
    } catch (LinkageError e) {
      return Optional.empty();
    }
  }

  static DoctorFinding iceberg() {
    try {
      return DoctorFinding.ok("Iceberg", Need.OPTIONAL, IcebergBuild.version());
    } catch (LinkageError e) {
      return DoctorFinding.missing(
          "Iceberg",
          Need.OPTIONAL,
          "no iceberg-spark-runtime on the class path",
          "the catalog lake of `sparknd sql`; tensor tables and feature tables",
          "build with a Spark for which there is an Iceberg runtime, such as 4.1");
    }
  }

  static DoctorFinding vectorKernels() {
    String name = "vector kernels";
    String cost = "kernels are the scalar ones, which are several times slower";
    String remedy =
        "add --add-modules=jdk.incubator.vector to the JVM's options; bin/sparknd has it";
    try {
      KernelProviders.named("vector");
      return DoctorFinding.ok(name, Need.OPTIONAL, "jdk.incubator.vector");
    } catch (SparkNdException | LinkageError e) {
      String problem = String.valueOf(e.getMessage());
      return DoctorFinding.missing(name, Need.OPTIONAL, problem, cost, remedy);
    }
  }
}
