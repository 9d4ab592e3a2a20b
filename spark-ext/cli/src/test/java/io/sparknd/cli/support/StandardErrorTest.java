/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which terminals show progress; {@code LauncherTest} tests the stream itself. */
class StandardErrorTest {
  @Test
  void terminalsThatCanEraseALineShowProgress() {
    assertThat(StandardError.showsProgress(Map.of("TERM", "xterm"))).isTrue();
    assertThat(StandardError.showsProgress(Map.of("TERM", "xterm", "CI", "false"))).isTrue();
    assertThat(StandardError.showsProgress(Map.of("TERM", "xterm", "CI", ""))).isTrue();
    // NO_COLOR is about colours, of which there are none
    assertThat(StandardError.showsProgress(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isTrue();
  }

  @Test
  void dumbTerminalsAndContinuousIntegrationDoNot() {
    assertThat(StandardError.showsProgress(Map.of())).isFalse();
    assertThat(StandardError.showsProgress(Map.of("TERM", "dumb"))).isFalse();
    assertThat(StandardError.showsProgress(Map.of("TERM", "xterm", "CI", "true"))).isFalse();
    assertThat(StandardError.showsProgress(Map.of("TERM", "xterm", "CI", "1"))).isFalse();
  }

  @Test
  void withoutThePropertyTheStreamStays() {
    var before = System.err;

    StandardError.takeOver();

    assertThat(System.err).isSameAs(before);
  }
}
