/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.cpu.ScalarProvider;
import io.sparknd.kernel.cpu.VectorModule;
import io.sparknd.kernel.cpu.VectorProvider;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks up kernel providers by the values of {@code spark.sparknd.kernel}. */
public final class KernelProviders {
  private static final Logger LOG = LoggerFactory.getLogger(KernelProviders.class);

  private KernelProviders() {}

  /**
   * Returns the provider for {@code name}: {@code vector}, {@code scalar}, {@code auto}, or one
   * that a jar on the class path registers, such as {@code cudf}. {@code auto} selects {@code
   * vector} if the JVM has the Vector API, else {@code scalar}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown, or this JVM cannot load or
   *     run the provider
   */
  public static KernelProvider named(String name) {
    return switch (name) {
      case "auto" -> automatic();
      case "scalar" -> Scalar.PROVIDER;
      case "vector" -> vector();
      default -> installed(name);
    };
  }

  /** Returns the name of the provider that {@link #named} returns, even if this JVM lacks it. */
  public static String chosenName(String name) {
    return name.equals("auto") ? automatic().name() : name;
  }

  /** Returns the provider for {@code auto}. The first call logs which one that is. */
  public static KernelProvider automatic() {
    return Automatic.PROVIDER;
  }

  private static KernelProvider vector() {
    if (!VectorModule.isPresent()) {
      throw KernelErrors.kernelNeedsModule("vector", VectorModule.NAME);
    }
    return Vector.PROVIDER;
  }

  /**
   * Checks that the provider {@code name} exists, even if only executors, not this JVM, can run it.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown or its jar is not installed
   */
  public static void require(String name) {
    switch (name) {
      case "auto", "scalar", "vector" -> {}
      default -> found(name);
    }
  }

  private static KernelProvider installed(String name) {
    KernelProvider provider = found(name);
    provider
        .obstacle()
        .ifPresent(
            why -> {
              throw KernelErrors.kernelCannotRun(name, why);
            });
    return provider;
  }

  private static KernelProvider found(String name) {
    return Installed.PROVIDERS.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> notInstalled(name));
  }

  private static SparkNdException notInstalled(String name) {
    return name.equals("cudf")
        ? KernelErrors.kernelNotInstalled(name, "sparknd-gpu-4.1_2.13")
        : KernelErrors.unknownKernel(name, "auto, vector, scalar, cudf");
  }

  private static final class Scalar {
    static final KernelProvider PROVIDER = new ScalarProvider();
  }

  /** Holder class, so that a JVM without the module never loads {@link VectorProvider}. */
  private static final class Vector {
    static final KernelProvider PROVIDER = new VectorProvider();
  }

  /** Loaded once, because an executor's class path is fixed at startup. */
  private static final class Installed {
    static final List<KernelProvider> PROVIDERS =
        ServiceLoader.load(KernelProvider.class, KernelProvider.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
  }

  private static final class Automatic {
    static final KernelProvider PROVIDER = choose();

    private static KernelProvider choose() {
      if (VectorModule.isPresent()) {
        LOG.info("Kernels: vector");
        return Vector.PROVIDER;
      }
      LOG.info(
          "Kernels: scalar; add --add-modules={} to the JVM options for the faster Vector"
              + " API kernels",
          VectorModule.NAME);
      return Scalar.PROVIDER;
    }
  }
}
