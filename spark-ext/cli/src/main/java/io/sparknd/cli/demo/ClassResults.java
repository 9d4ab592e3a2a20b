/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Indexing;
import io.sparknd.op.TensorFlow;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;

/**
 * The results of the scatters and gathers of the class files.
 *
 * @param input index tuples and updates
 * @param wellKnown the classes of {@code rows} and {@code callers}
 * @param counts int32 {@code [from, to]}: references from one class to another
 * @param referred int32 {@code [to]}: references to a class
 * @param largest int64 {@code [package]}: bytes of the largest class file
 * @param smallest int64 {@code [package]}: bytes of the smallest class file
 * @param rows int32 {@code [wellKnown, to]}: rows of {@code counts}
 * @param callers int32 {@code [from, wellKnown]}: columns of {@code counts}
 */
record ClassResults(
    ClassTensors input,
    List<String> wellKnown,
    CheckedTensor counts,
    CheckedTensor referred,
    CheckedTensor largest,
    CheckedTensor smallest,
    CheckedTensor rows,
    CheckedTensor callers)
    implements DemoRun.Findings {
  private static final List<String> WELL_KNOWN =
      List.of(
          "java/lang/Object",
          "java/lang/String",
          "java/util/List",
          "java/util/HashMap",
          "scala/Option",
          "scala/collection/immutable/Seq",
          "org/apache/spark/SparkContext",
          "org/apache/spark/rdd/RDD",
          "org/apache/spark/sql/SparkSession",
          "org/apache/spark/sql/catalyst/expressions/Expression");

  /** Runs the scatters and gathers. */
  static ClassResults run(ClassTensors input, CheckedEngine engine) {
    List<String> wellKnown = wellKnown(input.axis());
    int[] ids = wellKnown.stream().mapToInt(input.axis()::index).toArray();
    CheckedTensor counts = counts(input, engine);
    return new ClassResults(
        input,
        wellKnown,
        counts,
        referred(input, engine),
        largest(input, engine),
        smallest(input, engine),
        engine.gather(
            "rows", counts, TensorFlow.gatherNd(Tensor.of(Shape.of(ids.length, 1), ids), 0)),
        engine.gather(
            "callers",
            counts,
            new GatherCall(
                Gather.strict(), new Indexing.Axis(1), Tensor.of(Shape.of(ids.length), ids))));
  }

  /**
   * Returns the well-known classes on the axis, or the first class of the axis if there are none.
   */
  private static List<String> wellKnown(ClassAxis axis) {
    List<String> present = WELL_KNOWN.stream().filter(axis::contains).toList();
    return present.isEmpty() ? List.of(axis.name(0)) : present;
  }

  private static CheckedTensor counts(ClassTensors input, CheckedEngine engine) {
    int classes = input.axis().size();
    return engine.scatter(
        "counts",
        new ConstantTensor(DType.INT32, Shape.of(classes, classes), 0),
        TensorFlow.tensorScatterNdAdd(input.pairs(), input.ones()));
  }

  private static CheckedTensor referred(ClassTensors input, CheckedEngine engine) {
    return engine.scatter(
        "referred",
        new ConstantTensor(DType.INT32, Shape.of(input.axis().size()), 0),
        TensorFlow.tensorScatterNdAdd(input.callees(), input.ones()));
  }

  private static CheckedTensor largest(ClassTensors input, CheckedEngine engine) {
    return engine.scatter(
        "largest",
        new ConstantTensor(DType.INT64, Shape.of(input.packages().size()), Long.MIN_VALUE),
        TensorFlow.tensorScatterNdMax(input.packageOf(), input.sizes()));
  }

  private static CheckedTensor smallest(ClassTensors input, CheckedEngine engine) {
    return engine.scatter(
        "smallest",
        new ConstantTensor(DType.INT64, Shape.of(input.packages().size()), Long.MAX_VALUE),
        TensorFlow.tensorScatterNdMin(input.packageOf(), input.sizes()));
  }

  @Override
  public void report(TextReport page) {
    new ClassReport(page, this).results();
  }

  @Override
  public void writeNames(OutputFiles files) {
    files.names("classes", input.axis().names().stream().map(ClassReport::dotted).toList());
    files.names("packages", input.packages().stream().map(ClassReport::dotted).toList());
  }
}
