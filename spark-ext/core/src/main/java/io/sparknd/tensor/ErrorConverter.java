/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/**
 * Converts errors to the exception type of a host, such as Spark. Implementations are loaded with
 * {@link java.util.ServiceLoader}, so that this package does not depend on the host.
 */
public interface ErrorConverter {
  /** Returns {@code error} as the host's exception type. */
  SparkNdException of(SparkNdException error);
}
