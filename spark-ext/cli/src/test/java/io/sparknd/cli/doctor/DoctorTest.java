/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.doctor.DoctorFinding.Need;
import io.sparknd.cli.doctor.DoctorFinding.State;
import io.sparknd.cli.doctor.ToolOutcome.Broken;
import io.sparknd.cli.doctor.ToolOutcome.NotInstalled;
import io.sparknd.cli.doctor.ToolOutcome.Printed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.package$;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the findings of {@code sparknd doctor}. */
class DoctorTest {
  private static final SparkJdks TABLE =
      new SparkJdks(Map.of("4.1", List.of(17, 21), "4.2", List.of(17, 21, 25)));

  @Test
  void theTableHasTheSparkOfThisBuildAndThisJdk() {
    assertThat(SparkJdks.read().of(package$.MODULE$.SPARK_VERSION()))
        .contains(Runtime.version().feature());
    assertThat(JvmChecks.jdk().state()).isEqualTo(State.OK);
    assertThat(JvmChecks.spark().state()).isEqualTo(State.OK);
    assertThat(JvmChecks.vectorKernels().state()).isEqualTo(State.OK);
    assertThat(JvmChecks.iceberg().found()).startsWith("1.");
  }

  @ParameterizedTest
  @CsvSource({
    "17.0.15, 4.1.3, OK",
    "21, 4.1.3, OK",
    "25.0.3, 4.1.3, UNUSABLE",
    "25.0.3, 4.2.0, OK",
    "25, 9.0.0, OK",
    "22, 4.2.0, UNUSABLE",
  })
  void jdksAreThoseOfSpark(String jdk, String spark, State state) {
    DoctorFinding finding = JvmChecks.jdk(Runtime.Version.parse(jdk), Optional.of(spark), TABLE);

    assertThat(finding.state()).isEqualTo(state);
    assertThat(finding.found()).startsWith(jdk);
    assertThat(finding.preventsCommands()).isEqualTo(state != State.OK);
  }

  @Test
  void anotherJdkHasARemedy() {
    Runtime.Version jdk = Runtime.Version.parse("25");

    assertThat(JvmChecks.jdk(jdk, Optional.of("4.1.3"), TABLE).remedy())
        .isEqualTo("set JAVA_HOME to a JDK 17 or 21, or build with Spark 4.2");
    assertThat(JvmChecks.jdk(jdk, Optional.empty(), TABLE).state()).isEqualTo(State.OK);
  }

  @Test
  void otherSparksAreNotTested() {
    assertThat(JvmChecks.spark("4.0.1", TABLE).state()).isEqualTo(State.UNUSABLE);
    assertThat(JvmChecks.spark("4.2.0", TABLE).found())
        .isEqualTo("4.2.0, which runs on JDK 17 or 21 or 25");
  }

  @Test
  void aGpuNeedsItsDriverAndItsJar() {
    assertThat(ToolChecks.gpu(new NotInstalled()).problem())
        .isEqualTo("nvidia-smi is not on the PATH");
    assertThat(ToolChecks.gpu(new Broken("it ended with 9: no devices")).problem())
        .isEqualTo("nvidia-smi: it ended with 9: no devices");
    assertThat(ToolChecks.gpu(new Printed("")).state()).isEqualTo(State.MISSING);

    DoctorFinding found = ToolChecks.gpu(new Printed("A, 80 GiB, 570\nB, 80 GiB, 570"));

    assertThat(found.found()).isEqualTo("A, 80 GiB, 570; B, 80 GiB, 570");
    assertThat(found.state()).isEqualTo(State.UNUSABLE);
    assertThat(found.problem()).contains("sparknd-gpu-4.1_2.13");
  }

  @Test
  void pythonNeedsPySpark() {
    assertThat(ToolChecks.python(new NotInstalled()).state()).isEqualTo(State.MISSING);
    assertThat(ToolChecks.python(new Printed("3.11.2\nnumpy 2.0")).problem())
        .isEqualTo("it has no pyspark");
    assertThat(ToolChecks.python(new Printed("3.11.2\npyspark 4.1.3, numpy 2.0")))
        .isEqualTo(DoctorFinding.ok("Python", Need.OPTIONAL, "3.11.2, pyspark 4.1.3, numpy 2.0"));
  }

  @ParameterizedTest
  @CsvSource({"2.20.0, OK", "v2.39.1, OK", "3.0, OK", "2.19.9, UNUSABLE", "1.29.2, UNUSABLE"})
  void composeMustBeNewEnough(String compose, State state) {
    assertThat(ToolChecks.docker(new Printed("27.0"), new Printed(compose)).state())
        .isEqualTo(state);
  }

  @Test
  void dockerNeedsItsEngine() {
    DoctorFinding engine =
        ToolChecks.docker(new Broken("it ended with 1: no"), new Printed("2.30"));

    assertThat(ToolChecks.docker(new NotInstalled(), new NotInstalled()).state())
        .isEqualTo(State.MISSING);
    assertThat(ToolChecks.docker(new Printed("27.0"), new Broken("x")).state())
        .isEqualTo(State.UNUSABLE);
    assertThat(engine.state()).isEqualTo(State.UNUSABLE);
    assertThat(engine.problem()).contains("cannot be reached", "it ended with 1: no");
  }

  @Test
  void programsAreRunWithinALimit() throws InterruptedException {
    Duration limit = Duration.ofSeconds(5);

    assertThat(ToolOutcome.of(limit, "sh", "-c", "echo out; echo err >&2"))
        .isEqualTo(new Printed("out\nerr"));
    assertThat(ToolOutcome.of(limit, "sh", "-c", "cat; echo why >&2; exit 3"))
        .isEqualTo(new Broken("it ended with 3: why"));
    assertThat(ToolOutcome.of(limit, "no-such-program-anywhere")).isEqualTo(new NotInstalled());
    assertThat(ToolOutcome.of(Duration.ofMillis(50), "sleep", "30"))
        .isEqualTo(new Broken("it did not answer within 50 ms"));
  }

  @Test
  void onlyRequiredThingsDecide() {
    DoctorFinding jdk = DoctorFinding.ok("JDK", Need.REQUIRED, "17");
    DoctorFinding gpu = DoctorFinding.missing("GPU", Need.OPTIONAL, "no GPU", "cudf", "buy one");

    assertThat(printed(jdk, gpu))
        .containsExactly(
            "ok        JDK             17",
            "missing   GPU             no GPU",
            "                          costs: cudf",
            "                          to get it: buy one",
            "",
            "Everything required is there.");
    assertThat(printed(jdk.unusable("too new", "everything", "JAVA_HOME"), gpu))
        .startsWith("unusable  JDK             17", "                          too new")
        .endsWith("Not ready: JDK is unusable.");
  }

  private static List<String> printed(DoctorFinding... findings) {
    StringWriter out = new StringWriter();
    DoctorReport.of(List.of(findings)).print(new PrintWriter(out));
    return out.toString().lines().toList();
  }
}
