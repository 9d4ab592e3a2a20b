/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.classes.ClassFile;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the tensors that the demo builds from class files. */
class ClassTensorsTest {
  private static final List<ClassFile> FILES =
      List.of(
          new ClassFile("p/A", 100, List.of("p/B", "p/B", "q/C", "x/Rare")),
          new ClassFile("p/B", 70, List.of("q/C", "p/A")),
          new ClassFile("q/C", 30, List.of("p/B")));

  @Test
  void axisIsSortedByReferencesThenByName() {
    ClassAxis axis = ClassAxis.mostReferred(FILES, 3);
    assertThat(axis.names()).containsExactly("p/B", "q/C", "p/A");
    assertThat(axis.index("q/C")).isEqualTo(1);
    assertThat(axis.contains("x/Rare")).isFalse();
  }

  @Test
  void pairsAreTheReferencesBetweenClassesOfTheAxis() {
    ClassTensors tensors = ClassTensors.of(FILES, ClassAxis.mostReferred(FILES, 3));
    assertThat(tensors.pairs())
        .isEqualTo(Tensor.of(Shape.of(6, 2), 2, 0, 2, 0, 2, 1, 0, 1, 0, 2, 1, 0));
    assertThat(tensors.callees()).isEqualTo(Tensor.of(Shape.of(6, 1), 0, 0, 1, 1, 2, 0));
    assertThat(tensors.ones()).isEqualTo(Tensor.of(Shape.of(6), 1, 1, 1, 1, 1, 1));
  }

  @Test
  void sizesAreGroupedByPackage() {
    ClassTensors tensors = ClassTensors.of(FILES, ClassAxis.mostReferred(FILES, 1));
    assertThat(tensors.packages()).containsExactly("p", "q");
    assertThat(tensors.packageOf()).isEqualTo(Tensor.of(Shape.of(3, 1), 0, 0, 1));
    assertThat(tensors.sizes()).isEqualTo(Tensor.of(Shape.of(3), 100L, 70L, 30L));
  }
}
