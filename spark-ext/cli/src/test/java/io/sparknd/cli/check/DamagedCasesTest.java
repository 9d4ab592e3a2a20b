/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.DamagedJson;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a case whose attributes are damaged has a verdict, and no internal error. */
class DamagedCasesTest {
  @TempDir private Path directory;

  @Test
  void damagedAttributesHaveAVerdict() throws IOException {
    CaseFolder folder =
        CaseFiles.of("scatter_nd")
            .attribute("shape", List.of(4))
            .attribute("policy", "IGNORE")
            .attribute("negative", "wrap")
            .attribute("bad_indices", "ignore")
            .attribute("fill_value", 1.5)
            .attribute("seed", 3)
            .attribute("dtypes", Map.of("updates", "float32"))
            .attribute("compare", "close")
            .attribute("rtol", 1e-5)
            .attribute("alternatives", List.of(List.of(0.0, 1.0, 2.0, 3.0)))
            .attribute("repeat_identical", true)
            .attribute("expect_error", false)
            .attribute("error", Map.of("must_name", List.of("x")))
            .indices(Tensor.of(Shape.of(2, 1), 1L, 1L))
            .updates(Tensor.of(Shape.of(2), 5F, 6F))
            .expected(Tensor.of(Shape.of(4), 0F, 11F, 0F, 0F))
            .write(directory, "damaged");
    Path attributes = folder.file(CaseFolder.ATTRIBUTES);
    for (DamagedJson damage : DamagedJson.of(Files.readString(attributes))) {
      damage.writeTo(attributes);
      assertThat(CaseRuns.locally().run(folder).toString())
          .as(damage.toString())
          .doesNotContain("java.lang", "NullPointer", "ClassCast", "IndexOutOf");
    }
  }
}
