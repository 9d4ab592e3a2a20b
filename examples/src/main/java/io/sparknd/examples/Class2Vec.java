/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import io.sparknd.cli.Example;
import io.sparknd.cli.classes.ClassFiles;
import io.sparknd.examples.classes.ClassExperiment;
import io.sparknd.examples.support.ChartFolder;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.examples.support.OptionBounds;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/**
 * Trains vectors of the classes on the class path by random walks along their references: nearest
 * neighbours, prediction of held-out references, and a map of packages, compared with MLlib's
 * Word2Vec.
 */
public final class Class2Vec implements Example {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "class2vec",
      description = "Folder for charts; existing charts are overwritten. Default: class2vec.")
  private Path out = Path.of("class2vec");

  @Option(
      names = "--classes",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Number of classes, most connected first. Default: 20000.")
  private int classes = 20_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds of walks, one from each class. Default: 3.")
  private int rounds = 3;

  public static void main(String[] args) throws Exception {
    new Class2Vec().run();
  }

  @Override
  public String name() {
    return "class2vec";
  }

  @Override
  public String summary() {
    return "train class vectors on the references between classes, compared with MLlib's Word2Vec";
  }

  @Override
  public void run() throws Exception {
    OptionBounds.atLeast(2, "--classes", classes);
    OptionBounds.atLeast(1, "--rounds", rounds);
    ChartFolder.create(out);
    ClassFiles files = ClassFiles.read(ClassFiles.entries(System.getProperty("java.class.path")));
    try (SparkSession spark = ExampleSession.open(name())) {
      new ClassExperiment(spark, files, classes, rounds).run(out);
    }
  }
}
