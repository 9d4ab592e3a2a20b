/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.launcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sparknd.docs.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A folder with {@code bin/sparknd} and all that it reads, where JDKs and Maven are shell scripts.
 */
record FakeCheckout(Path root) {
  private static final String TABLE =
      "spark-ext/cli/src/main/resources/io/sparknd/cli/spark-jdks.properties";

  /** What a command printed; each byte is a char. */
  record Outcome(int code, String out, String err) {}

  /** Makes a checkout in {@code root} that is not built. */
  static FakeCheckout in(Path root) {
    FakeCheckout made = new FakeCheckout(root);
    for (String file : List.of("bin/sparknd", "config/spark-jvm.options", TABLE)) {
      made.script(file, read(Page.ROOT.resolve(file)));
    }
    return made;
  }

  /** Returns this checkout, built with a version of Spark. */
  FakeCheckout builtWith(String spark) {
    Path core = write("jars/spark-core_2.13-" + spark + ".jar", "");
    return builtWithClassPath("jars/other-1.0.jar:" + core);
  }

  FakeCheckout builtWithClassPath(String classPath) {
    write("spark-ext/dist/target/sparknd-spark-runtime-4.1_2.13-1.jar", "");
    write("udfs/target/sparknd-udfs-4.1_2.13-1.jar", "");
    write("examples/target/sparknd-examples-1.jar", "");
    write("examples/target/classpath.txt", classPath);
    write("spark-ext/dist/target/classpath.txt", classPath);
    return this;
  }

  /** Makes a JDK whose {@code java} is a shell script; returns its home. */
  Path jdk(String version, String java) {
    String home = "jdk-" + version;
    write(home + "/release", "IMPLEMENTOR=\"Any\"\nJAVA_VERSION=\"" + version + "\"\n");
    script(home + "/bin/javac", "#!/bin/sh\n");
    return script(home + "/bin/java", "#!/usr/bin/env bash\n" + java).getParent().getParent();
  }

  Path script(String file, String text) {
    Path path = write(file, text);
    path.toFile().setExecutable(true);
    return path;
  }

  Path write(String file, String text) {
    try {
      Path path = root.resolve(file);
      Files.createDirectories(path.getParent());
      return Files.writeString(path, text, ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path sparknd() {
    return root.resolve("bin/sparknd");
  }

  /** Runs {@code bin/sparknd} on the JDK in {@code home}. */
  Outcome run(Path home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(sparknd().toString()));
    command.addAll(List.of(arguments));
    return run(Map.of("JAVA_HOME", home.toString()), command);
  }

  /** Runs a command line of bash, in which {@code $sparknd} is {@code bin/sparknd}. */
  Outcome bash(Path home, String line) throws Exception {
    Map<String, String> environment =
        Map.of("JAVA_HOME", home.toString(), "sparknd", sparknd().toString());
    return run(environment, List.of("bash", "-c", line));
  }

  Outcome run(Map<String, String> environment, List<String> command) throws Exception {
    Process process = start(environment, command);
    process.getOutputStream().close();
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
    String out = text(process.getInputStream());
    return new Outcome(process.waitFor(), out, err.get());
  }

  static String text(InputStream in) {
    try {
      return new String(in.readAllBytes(), ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process start(Map<String, String> environment, List<String> command) throws IOException {
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().keySet().removeAll(List.of("SPARKND_JAVA_OPTS", "SPARKND_CLASSPATH"));
    process.environment().putAll(environment);
    return process.start();
  }
}
