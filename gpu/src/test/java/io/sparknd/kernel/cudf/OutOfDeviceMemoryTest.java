/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nvidia.spark.rapids.jni.GpuOOM;
import com.nvidia.spark.rapids.jni.GpuRetryOOM;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which errors say that the memory of the device is exhausted. */
class OutOfDeviceMemoryTest {
  static Stream<RuntimeException> exhausted() {
    return Stream.of(new GpuOOM(), new GpuRetryOOM(), new OutOfDeviceMemory(8, null));
  }

  @ParameterizedTest
  @MethodSource("exhausted")
  void outOfMemoryGivesAnEmptyResult(RuntimeException error) {
    assertThat(OutOfDeviceMemory.isMeantBy(error)).isTrue();
    assertThat(
            OutOfDeviceMemory.orEmpty(
                () -> {
                  throw error;
                }))
        .isEmpty();
  }

  @Test
  void outOfMemoryErrorOfCudfIsRecognized() {
    assertThat(OutOfDeviceMemory.isMeantBy(new OutOfMemoryError("Could not allocate"))).isTrue();
  }

  @Test
  void otherErrorsAreThrown() {
    IllegalStateException other = new IllegalStateException("other");
    assertThatThrownBy(
            () ->
                OutOfDeviceMemory.orEmpty(
                    () -> {
                      throw other;
                    }))
        .isSameAs(other);
    assertThat(OutOfDeviceMemory.orEmpty(() -> Optional.of(1))).contains(1);
  }
}
