/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/**
 * Gives errors the type that a host, such as Spark, expects of them. Looked up with {@link
 * java.util.ServiceLoader}, so that this package need not know the host.
 */
public interface ErrorType {
  /** {@code error} as the host's type. */
  SparkNdException of(SparkNdException error);
}
