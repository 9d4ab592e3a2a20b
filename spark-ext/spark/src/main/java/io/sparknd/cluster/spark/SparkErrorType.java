/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.ErrorType;
import io.sparknd.tensor.SparkNdException;

/** Makes every error one of Spark's, wherever it is made: on the driver or in tasks. */
public final class SparkErrorType implements ErrorType {
  @Override
  public SparkNdException of(SparkNdException error) {
    return new SparkNdRuntimeException(error);
  }
}
