/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds out who made the CPU. Java does not tell, Linux on x86 does. */
final class ProcessorVendor {
  static final String INTEL = "GenuineIntel";

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final String FIELD = "vendor_id";

  private ProcessorVendor() {}

  /**
   * Returns the vendor by its CPUID string, such as {@code GenuineIntel} or {@code AuthenticAMD};
   * empty on other systems and CPUs.
   */
  static Optional<String> name() {
    return name(CPU_INFO);
  }

  static Optional<String> name(Path cpuInfo) {
    try (Stream<String> lines = Files.lines(cpuInfo)) {
      return lines
          .filter(line -> line.startsWith(FIELD) && line.contains(":"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // another system, or a container without the file
    }
  }
}
