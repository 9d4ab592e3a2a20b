/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cli.classes.ClassFiles;
import io.sparknd.cli.support.CliErrors;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Reduction;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code sparknd demo}: counts references between the class files of the class path on
 * an embedded Spark, checks the result against the local kernel and writes it to files. With {@code
 * --data}, {@code --indices} and {@code --updates} it uses the user's tensors instead.
 *
 * <p>Returns 0, or 1 if the cluster and the local kernel differ.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description = {
      "Runs scatter and gather on real input, with a local Spark.",
      "",
      "Without files of your own, the input is the class files on the class path. "
          + "References between classes are index tuples with many duplicates: scatter-add "
          + "counts them in a tensor [classes, classes], scatter-max and scatter-min find "
          + "the largest and smallest class file of every package, and gather reads the "
          + "rows and columns of well-known classes.",
      "",
      "Every result is compared with the local kernel; the exit code is 1 if one " + "differs.",
      ""
    })
public final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--classes",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Number of most referenced classes to count.")
  private int classes;

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "Jars and folders to read instead of this program's class path.",
      defaultValue = "${sys:java.class.path}",
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER)
  private String classPath;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "0",
      description = "Spark partitions of each tensor; 0 chooses by size and cores.")
  private int partitions;

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "${sys:spark.master:-local[*]}",
      description = "Spark master URL.")
  private String master;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "sparknd-demo",
      description = "Folder for the results; files with the same names are overwritten.")
  private Path out;

  @ArgGroup(exclusive = false, heading = "%nYour own tensors (give all three):%n")
  private @Nullable OwnFiles own;

  /** The user's own tensors. */
  private static final class OwnFiles {
    @Option(
        names = "--data",
        required = true,
        paramLabel = "FILE",
        description = "The tensor to scatter into, .npy.")
    private Path data;

    @Option(
        names = "--indices",
        required = true,
        paramLabel = "FILE",
        description = "Index tuples [..., k], .npy.")
    private Path indices;

    @Option(
        names = "--updates",
        required = true,
        paramLabel = "FILE",
        description = "Slices [...] + shape[k:], .npy.")
    private Path updates;

    @Option(
        names = "--reduction",
        paramLabel = "NAME",
        defaultValue = "add",
        description = "Reduction of update and element: none, add, sub, mul, min, max and others.")
    private String reduction;
  }

  /** Creates the command, for picocli. */
  public DemoCommand() {}

  @Override
  public Integer call() {
    DemoRun run =
        new DemoRun(
            new TextReport(spec.commandLine().getOut()),
            new StepTimings(),
            Partitioning.of(partitions),
            master,
            OutputFiles.in(out));
    DemoRun.Job job = own == null ? classJob(run) : fileJob(run, own);
    return run.run(job) ? 0 : 1;
  }

  private DemoRun.Job classJob(DemoRun run) {
    if (classes < 1) {
      throw CliErrors.noClassesRequested(classes);
    }
    ClassFiles files =
        run.timings()
            .measure("read class files", () -> ClassFiles.read(ClassFiles.entries(classPath)));
    ClassTensors input = run.timings().measure("make index tuples", () -> tensors(files));
    ClassReport.input(run.page(), files, input);
    return engine -> ClassResults.run(input, engine);
  }

  private ClassTensors tensors(ClassFiles files) {
    // never empty: the core library refers to itself
    ClassAxis axis = ClassAxis.mostReferred(files.classes(), classes);
    return ClassTensors.of(files.classes(), axis);
  }

  private static DemoRun.Job fileJob(DemoRun run, OwnFiles own) {
    Reduction reduction = Reduction.named(own.reduction);
    FileInput input =
        run.timings()
            .measure(
                "read files", () -> FileInput.read(own.data, own.indices, own.updates, reduction));
    input.report(run.page());
    return input::run;
  }
}
