/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import io.sparknd.tensor.ErrorConverter;
import io.sparknd.tensor.SparkNdException;

/** Converts every error to a Spark error, on the driver and in tasks. */
public final class SparkErrorConverter implements ErrorConverter {
  @Override
  public SparkNdException of(SparkNdException error) {
    return new SparkNdRuntimeException(error);
  }
}
