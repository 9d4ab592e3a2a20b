/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cluster.Partitioning;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.NdErrors;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sparknd demo}: counts which class refers to which in the class files of the class path, on
 * a Spark of its own, checks the result against the local kernel and writes it to files. With
 * {@code --data}, {@code --indices} and {@code --updates} it does the same with the user's tensors.
 *
 * <p>Returns 0, or 1 where the cluster and the local kernel differ.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description = {
      "Runs scatter and gather on real input, with a local Spark.",
      "",
      "Without files of your own it reads the class files on the class path. Which class refers to"
          + " which are index tuples with many duplicates: scatter-add counts them in a tensor"
          + " [classes, classes], scatter-max and scatter-min keep the largest and smallest class"
          + " file of every package, and gather reads the rows and columns of well-known classes.",
      "",
      "Every result is checked against the local kernel; exit code 1 says that one differs.",
      ""
    })
public final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--classes",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Count between the N classes that are referred to most.")
  private int classes;

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "Jars and folders to read instead of this program's own class path.",
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
      defaultValue = "local[*]",
      description = "The Spark to run on.")
  private String master;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "sparknd-demo",
      description = "Folder for the results; files of the same name are replaced.")
  private Path out;

  @ArgGroup(exclusive = false, heading = "%nYour own tensors, all three together:%n")
  private OwnFiles own;

  /** Tensors of the user's. */
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
        description = "How an update joins its element: none, add, sub, mul, min, max and so on.")
    private String reduction;
  }

  /** For picocli. */
  public DemoCommand() {}

  @Override
  public Integer call() {
    Timings timings = new Timings();
    Partitioning partitioning = Partitioning.of(partitions);
    Page page = new Page(spec.commandLine().getOut());
    boolean identical =
        own == null ? onClasses(page, partitioning, timings) : onFiles(page, partitioning, timings);
    return identical ? 0 : 1;
  }

  private boolean onClasses(Page page, Partitioning partitioning, Timings timings) {
    if (classes < 1) {
      throw NdErrors.noClassesAsked(classes);
    }
    List<Path> entries = ClassFiles.entries(classPath);
    ClassFiles files = timings.measure("read class files", () -> ClassFiles.read(entries));
    ClassTensors input = timings.measure("make index tuples", () -> tensors(files, entries));
    ClassReport.input(page, files, input);
    try (LocalSpark spark = timings.measure("start Spark", () -> LocalSpark.start(master));
        CheckedEngine engine = new CheckedEngine(spark.session(), partitioning, timings)) {
      ClassJob job = ClassJob.run(input, engine);
      CommonReport common = new CommonReport(page);
      common.tensors(engine.results());
      new ClassReport(page, job).results();
      common.files(timings.measure("write files", () -> write(job, engine)));
      common.times(timings);
      return common.check(engine.results());
    }
  }

  private ClassTensors tensors(ClassFiles files, List<Path> entries) {
    ClassAxis axis = ClassAxis.mostReferred(files.classes(), classes);
    if (axis.size() == 0) {
      throw NdErrors.noReferences(entries.size());
    }
    return ClassTensors.of(files.classes(), axis);
  }

  private OutputFiles write(ClassJob job, CheckedEngine engine) {
    OutputFiles files = write(engine);
    files.names("classes", job.input().axis().names().stream().map(ClassReport::dotted).toList());
    files.names("packages", job.input().packages().stream().map(ClassReport::dotted).toList());
    return files;
  }

  private boolean onFiles(Page page, Partitioning partitioning, Timings timings) {
    Reduction reduction = Reduction.named(own.reduction);
    FileInput input =
        timings.measure(
            "read files", () -> FileInput.read(own.data, own.indices, own.updates, reduction));
    input.report(page);
    try (LocalSpark spark = timings.measure("start Spark", () -> LocalSpark.start(master));
        CheckedEngine engine = new CheckedEngine(spark.session(), partitioning, timings)) {
      input.run(engine);
      CommonReport common = new CommonReport(page);
      common.tensors(engine.results());
      common.files(timings.measure("write files", () -> write(engine)));
      common.times(timings);
      return common.check(engine.results());
    }
  }

  private OutputFiles write(CheckedEngine engine) {
    OutputFiles files = OutputFiles.in(out);
    engine.results().forEach(files::tensor);
    return files;
  }
}
