/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowWorksTest {
  private static final long MEGABYTE = 1 << 20;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void namesAreUniqueAndTensorsHaveUpTo256Megabytes(boolean quick) {
    List<Work> works = WorkSet.of("kernel-rows", quick).works();
    assertThat(works).extracting(Work::id).doesNotHaveDuplicates();
    assertThat(works)
        .allSatisfy(
            work -> {
              assertThat((long) work.elements() * work.type().storage().bytes())
                  .isLessThanOrEqualTo(256 * MEGABYTE);
              assertThat(work.rowElements()).isBetween(work.elements() / 5, work.elements() / 4);
              assertThat(work.shape()).hasSize(work.depth() + 1);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"gather", "gather-float32-x64"})
  void worksAreNamedByTheirIdOrItsFirstWords(String id) {
    WorkSet set = WorkSet.of("kernel-rows", true);
    assertThat(set.named(List.of(id))).extracting(Work::id).contains("gather-float32-x64");
    assertThat(set.named(List.of("gat"))).isEmpty();
    assertThat(WorkSet.of("kernels", false).named(List.of("a")))
        .extracting(Work::id)
        .containsExactly("a");
  }
}
