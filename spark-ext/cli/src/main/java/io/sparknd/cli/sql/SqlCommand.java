/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.cli.support.CliSession;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorCatalog;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code sparknd sql}: runs SQL statements. */
@Command(
    name = "sql",
    description = {
      "Run SQL on an embedded Spark, with the functions of SparkND.",
      "Without -e and -f, statements come from the terminal or from standard input. A"
          + " script stops at its first error.",
    })
public final class SqlCommand implements Callable<Integer> {
  private static final String LAKE = "spark.sql.catalog.lake";

  @ArgGroup @Nullable Script script;

  /** The source of the statements. */
  static final class Script {
    @Option(names = "-e", paramLabel = "SQL", description = "Statements, separated by semicolons.")
    String statements;

    @Option(names = "-f", paramLabel = "FILE", description = "A file of statements.")
    Path file;
  }

  @Option(
      names = "--format",
      paramLabel = "table|csv|json",
      defaultValue = "table",
      description = "Output format. Default: table.")
  ResultFormat format;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Maximum number of rows to print for each statement. Default: 1000.")
  int rows;

  @Option(
      names = "--lake",
      paramLabel = "DIR",
      defaultValue = "sparknd-lake",
      description = {
        "Warehouse directory of the catalog, created at first use. Default: sparknd-lake in "
            + "the current directory. The catalog's name is lake for any directory.",
        "Ignored if Spark settings configure lake as another catalog.",
      })
  Path lake;

  @Option(
      names = "--conf",
      paramLabel = "NAME=VALUE",
      description = "A Spark setting, such as spark.sql.shuffle.partitions=8.")
  Map<String, String> conf = Map.of();

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "${sys:spark.master:-local[*]}",
      description = {
        "Spark master URL. Default: that of spark-submit, else local[*], all cores of "
            + "this machine."
      })
  String master;

  @Option(
      names = "--kernel",
      paramLabel = "auto|vector|scalar|cudf",
      description =
          "Kernel: auto, vector, scalar or cudf. Default: spark.sparknd.kernel, else auto, the "
              + "fastest CPU kernel available.")
  @Nullable String kernel;

  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (rows < 0) {
      throw CliErrors.optionTooSmall("--rows", rows, 0);
    }
    CliSession.requireKernel(CliSession.masterOf(master, conf), CliSession.kernelOr(kernel, conf));
    @Nullable String text = script == null ? null : script.statements;
    if (script != null && script.file != null) {
      text = read(script.file.toString(), bytes(script.file));
    }
    boolean isInteractive = text == null && System.console() != null;
    if (text == null && !isInteractive) {
      text = read("standard input", System.in.readAllBytes());
    }
    try (CliSession session = CliSession.open(master, kernel, settings())) {
      if (IcebergRuntime.isThere()) {
        addLake(session.spark());
      }
      PrintWriter err = spec.commandLine().getErr();
      try (UnkeptTables unkept = UnkeptTables.of(session, err)) {
        run(session.spark(), isInteractive ? null : Objects.requireNonNull(text));
      }
    }
    return 0;
  }

  /** Adds the catalog, in which an INSERT scatters, unless settings define one of its name. */
  private void addLake(SparkSession spark) {
    if (spark.conf().getOption(LAKE).isEmpty()) {
      LocalCatalog.addTo(spark, "lake", lake);
      spark.conf().set(LAKE, TensorCatalog.class.getName());
    }
  }

  /** Runs a script, or what comes from the terminal. */
  private void run(SparkSession spark, @Nullable String script) throws IOException {
    SqlSession sql = new SqlSession(spark, format, rows, spec.commandLine().getOut());
    if (script == null) {
      new SqlShell(sql).run();
    } else {
      runAll(sql, script);
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.sql.catalog.nd", NdCatalog.class.getName());
    if (IcebergRuntime.isThere()) {
      settings.put("spark.sql.extensions", IcebergRuntime.EXTENSIONS);
    }
    // settings of spark-submit take precedence
    settings.keySet().removeIf(new SparkConf()::contains);
    settings.putAll(conf);
    return settings;
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(file.toString(), e);
    }
  }

  /** Returns UTF-8 as text, without a byte order mark. */
  private static String read(String source, byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw TensorErrors.unreadableFile(source, e);
    }
  }

  private static void runAll(SqlSession session, String script) {
    List<String> statements = SqlStatements.of(script);
    for (int i = 0; i < statements.size(); i++) {
      try {
        session.run(statements.get(i));
      } catch (Exception e) {
        throw StatementErrors.failure(i + 1, statements.size(), e);
      }
    }
  }
}
