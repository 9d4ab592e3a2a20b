/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.KernelErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests which GPU of a machine a JVM uses, and what becomes of failures, without a GPU. */
class ExecutorGpuTest {
  private static final OptionalInt NONE = OptionalInt.empty();

  private final MachineWithGpus machine = new MachineWithGpus();
  private final ExecutorGpu gpu = new ExecutorGpu(machine);

  /** A machine with three GPUs, seen from one thread. */
  private static final class MachineWithGpus implements GpuRuntime {
    final List<String> calls = new ArrayList<>();
    final Deque<RuntimeException> failuresOfLibrary = new ArrayDeque<>();
    final Deque<RuntimeException> failuresOfStaging = new ArrayDeque<>();
    Optional<String> obstacle = Optional.empty();
    ComputeCapability[] capabilities = {
      new ComputeCapability(8, 0), new ComputeCapability(9, 0), new ComputeCapability(8, 6)
    };
    int ofThread;

    /** The GPU whose memory RMM manages; negative for none. */
    int managed = -1;

    @Override
    public Optional<String> obstacle() {
      return obstacle;
    }

    @Override
    public boolean hasMemory() {
      return managed >= 0;
    }

    @Override
    public int device() {
      return ofThread;
    }

    @Override
    public void select(int device) {
      if (managed >= 0 && device != managed) {
        throw new IllegalStateException("Cannot change device after RMM init"); // as cuDF does
      }
      ofThread = device;
    }

    @Override
    public ComputeCapability capability() {
      return capabilities[ofThread];
    }

    @Override
    public void loadLibrary() {
      fail(failuresOfLibrary);
    }

    @Override
    public void openMemory() {
      calls.add("memory of " + ofThread);
      managed = ofThread;
    }

    @Override
    public void openStaging() {
      fail(failuresOfStaging);
      calls.add("staging");
    }

    private static void fail(Deque<RuntimeException> failures) {
      if (!failures.isEmpty()) {
        throw failures.remove();
      }
    }

    /** The RAPIDS Accelerator has chosen {@code device}, to which cuDF sets all threads. */
    void isManaged(int device) {
      managed = device;
      ofThread = device;
    }
  }

  @Test
  void aTaskOpensTheGpuThatSparkAssigned() {
    gpu.use(OptionalInt.of(2));
    assertThat(machine.calls).containsExactly("memory of 2", "staging");
    machine.ofThread = 0; // of another thread
    gpu.use(NONE);
    assertThat(machine.ofThread).isEqualTo(2);
    assertThat(machine.calls).hasSize(2);
  }

  @Test
  void withoutResourcesItIsTheFirst() {
    gpu.use(NONE);
    assertThat(machine.calls).containsExactly("memory of 0", "staging");
  }

  @Test
  void anotherGpuIsRefused() {
    gpu.use(OptionalInt.of(1));
    assertThatThrownBy(() -> gpu.use(OptionalInt.of(0)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith("a task was given GPU 0 in an executor that uses GPU 1: ");
  }

  @Test
  void besideTheAcceleratorItIsTheGpuOfTheAccelerator() {
    machine.isManaged(1);
    assertThat(gpu.obstacle(NONE)).isEmpty();
    gpu.use(NONE);
    gpu.use(OptionalInt.of(1));
    assertThat(machine.ofThread).isEqualTo(1);
    assertThat(machine.calls).containsExactly("staging");
    assertThatThrownBy(() -> gpu.use(OptionalInt.of(0)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("given GPU 0 in an executor that uses GPU 1");
  }

  @Test
  void aFailureIsReportedToEachTaskUntilItPasses() {
    machine.failuresOfLibrary.add(KernelErrors.libraryMissing("library"));
    machine.failuresOfLibrary.add(
        KernelErrors.libraryNotLoaded(new UnsatisfiedLinkError("no space"), "library"));
    assertCondition("LIBRARY_MISSING");
    assertCondition("LIBRARY_NOT_LOADED");
    gpu.use(NONE);
    assertThat(machine.calls).containsExactly("memory of 0", "staging");
  }

  private void assertCondition(String name) {
    assertThatThrownBy(() -> gpu.use(NONE))
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.condition()).isEqualTo("SPARKND_KERNEL_NOT_AVAILABLE." + name));
  }

  @Test
  void afterAFailureTheGpuStaysThatOfItsMemory() {
    machine.failuresOfStaging.add(new IllegalStateException("no host memory"));
    assertThatThrownBy(() -> gpu.use(OptionalInt.of(2))).hasMessage("no host memory");
    machine.ofThread = 0; // of another thread
    gpu.use(OptionalInt.of(2));
    assertThat(machine.calls).containsExactly("memory of 2", "staging");
    assertThat(machine.ofThread).isEqualTo(2);
  }

  @Test
  void aGpuForWhichThereIsNoCodeIsAnObstacle() {
    machine.capabilities[0] = new ComputeCapability(7, 5);
    assertThat(gpu.obstacle(NONE))
        .contains("the GPU has compute capability 7.5, and the kernels need 8.0");
    assertThat(gpu.obstacle(OptionalInt.of(2))).isEmpty();
    machine.capabilities[1] = new ComputeCapability(7, 0);
    assertThat(gpu.obstacle(OptionalInt.of(1))).get().asString().contains("7.0");
    machine.capabilities[0] = new ComputeCapability(10, 0);
    assertThat(gpu.obstacle(OptionalInt.of(0))).isEmpty();
    machine.obstacle = Optional.of("no GPU");
    assertThat(gpu.obstacle(OptionalInt.of(0))).contains("no GPU");
  }

  @Test
  void columnsThatTheGpuHasNoCodeForAreForTheProcessor() {
    assertThat(NestedColumns.onDevice(new HostDevices(), () -> Optional.of(1))).contains(1);
    assertThat(
            NestedColumns.onDevice(
                new DevicesWithObstacle(),
                () -> {
                  throw new AssertionError("called");
                }))
        .isEmpty();
  }

  private static final class DevicesWithObstacle implements Devices {
    @Override
    public String name() {
      return "none";
    }

    @Override
    public Optional<String> obstacle() {
      return Optional.of("no GPU");
    }

    @Override
    public Device forThisTask() {
      throw new AssertionError("used");
    }
  }

  @Test
  void librariesThatAreMissingOrDamagedAreReportedEachTime() {
    for (int task = 0; task < 2; task++) {
      assertThatThrownBy(() -> Native.load("absent.so"))
          .isInstanceOf(SparkNdException.class)
          .hasMessageStartingWith("the native library absent.so is not in this jar");
      assertThatThrownBy(() -> Native.load("Native.class"))
          .isInstanceOf(SparkNdException.class)
          .hasMessageStartingWith("the native library Native.class cannot be loaded: ")
          .hasCauseInstanceOf(UnsatisfiedLinkError.class);
    }
  }
}
