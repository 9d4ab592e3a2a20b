/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import io.sparknd.cli.doctor.DoctorFinding.Need;
import io.sparknd.cli.doctor.ToolOutcome.Broken;
import io.sparknd.cli.doctor.ToolOutcome.NotInstalled;
import io.sparknd.cli.doctor.ToolOutcome.Printed;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of programs and devices of this machine. */
final class ToolChecks {
  /** So that all checks, which run at once, end within two seconds. */
  private static final Duration LIMIT = Duration.ofMillis(1200);

  /** Of a second program, after another one. */
  private static final Duration SHORT_LIMIT = Duration.ofMillis(500);

  private static final String GPU_COST =
      "the kernel cudf, and SQL functions on GPUs; everything else runs on the CPU";

  private static final String MODULES =
      """
      import platform, importlib.metadata as m
      def version(name):
          try: return m.version(name)
          except m.PackageNotFoundError: return None
      print(platform.python_version())
      print(', '.join(n + ' ' + v for n in ('pyspark', 'pyarrow', 'numpy') if (v := version(n))))
      """;

  private static final Pattern COMPOSE = Pattern.compile("v?(\\d+)\\.(\\d+).*");

  /** The first Docker Compose that reads all of docker-compose.yml. */
  private static final int[] OLDEST_COMPOSE = {2, 20};

  private ToolChecks() {}

  static DoctorFinding gpu() throws InterruptedException {
    String query = "--query-gpu=name,memory.total,driver_version";
    return gpu(ToolOutcome.of(LIMIT, "nvidia-smi", query, "--format=csv,noheader"));
  }

  static DoctorFinding gpu(ToolOutcome outcome) {
    if (!(outcome instanceof Printed printed) || printed.text().isEmpty()) {
      return DoctorFinding.missing(
          "GPU",
          Need.OPTIONAL,
          problem("nvidia-smi", outcome),
          GPU_COST,
          "an NVIDIA GPU with its driver; docs/operate/gpu.md says when one pays");
    }
    DoctorFinding found =
        DoctorFinding.ok("GPU", Need.OPTIONAL, String.join("; ", printed.lines()));
    try {
      KernelProviders.named("cudf");
      return found;
    } catch (SparkNdException | LinkageError e) {
      return found.unusable(
          String.valueOf(e.getMessage()),
          GPU_COST,
          "build with mvn -Pgpu, as docs/operate/gpu.md says");
    }
  }

  static DoctorFinding python() throws InterruptedException {
    return python(ToolOutcome.of(LIMIT, "python3", "-c", MODULES));
  }

  static DoctorFinding python(ToolOutcome outcome) {
    String cost = "programs in Python; nothing of Java, SQL and the command line";
    if (!(outcome instanceof Printed printed) || printed.text().isEmpty()) {
      return DoctorFinding.missing(
          "Python",
          Need.OPTIONAL,
          problem("python3", outcome),
          cost,
          "install Python 3 and put python3 on the PATH");
    }
    DoctorFinding found =
        DoctorFinding.ok("Python", Need.OPTIONAL, String.join(", ", printed.lines()));
    return printed.text().contains("pyspark ")
        ? found
        : found.unusable("it has no pyspark", cost, "pip install pyspark, of Spark's version");
  }

  static DoctorFinding docker() throws InterruptedException {
    String server = "{{.Server.Version}}";
    ToolOutcome engine = ToolOutcome.of(LIMIT, "docker", "version", "--format", server);
    return engine instanceof NotInstalled
        ? docker(engine, engine)
        : docker(engine, ToolOutcome.of(SHORT_LIMIT, "docker", "compose", "version", "--short"));
  }

  static DoctorFinding docker(ToolOutcome engine, ToolOutcome compose) {
    String cost = "the stack of docker-compose.yml, and its tests";
    String install = "install Docker with Compose " + OLDEST_COMPOSE[0] + "." + OLDEST_COMPOSE[1];
    if (engine instanceof NotInstalled) {
      String problem = problem("docker", engine);
      return DoctorFinding.missing("Docker", Need.OPTIONAL, problem, cost, install + " or later");
    }
    String version = engine instanceof Printed printed ? printed.text() : "docker is on the PATH";
    String composed = compose instanceof Printed printed ? ", Compose " + printed.text() : "";
    DoctorFinding found = DoctorFinding.ok("Docker", Need.OPTIONAL, version + composed);
    if (!(engine instanceof Printed)) {
      return found.unusable(
          "its engine cannot be reached: " + problem("docker", engine), cost, "start the engine");
    }
    return isNewEnough(compose)
        ? found
        : found.unusable("docker-compose.yml needs a later Compose", cost, install + " or later");
  }

  private static boolean isNewEnough(ToolOutcome compose) {
    Matcher version = COMPOSE.matcher(compose instanceof Printed printed ? printed.text() : "");
    if (!version.matches()) {
      return false;
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    return major > OLDEST_COMPOSE[0] || (major == OLDEST_COMPOSE[0] && minor >= OLDEST_COMPOSE[1]);
  }

  private static String problem(String program, ToolOutcome outcome) {
    if (outcome instanceof Broken broken) {
      return program + ": " + broken.reason();
    }
    return outcome instanceof NotInstalled
        ? program + " is not on the PATH"
        : program + " names none";
  }
}
