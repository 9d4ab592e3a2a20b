/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests on which CPUs slices are read ahead. */
class PrefetchTest {
  @TempDir private Path folder;

  @Test
  void theVendorChoosesUnlessThePropertyDoes() {
    Optional<String> intel = Optional.of("GenuineIntel");
    Optional<String> amd = Optional.of("AuthenticAMD");

    assertThat(Prefetch.isOn(null, intel)).isTrue();
    assertThat(Prefetch.isOn(null, amd)).isFalse();
    assertThat(Prefetch.isOn(null, Optional.empty())).isFalse();
    assertThat(Prefetch.isOn("true", amd)).isTrue();
    assertThat(Prefetch.isOn("false", intel)).isFalse();
    assertThat(Prefetch.isOn("1", intel)).isTrue();
  }

  @Test
  void theVendorIsRead() throws Exception {
    Path x86 = folder.resolve("x86");
    Files.writeString(x86, "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n");
    Path arm = folder.resolve("arm");
    Files.writeString(arm, "processor\t: 0\nCPU implementer\t: 0x41\n");

    assertThat(ProcessorVendor.name(x86)).contains("GenuineIntel");
    assertThat(ProcessorVendor.name(arm)).isEmpty();
    assertThat(ProcessorVendor.name(folder.resolve("missing"))).isEmpty();
  }
}
