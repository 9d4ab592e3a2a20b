/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import io.sparknd.LocalSpark;
import java.util.function.Supplier;
import org.apache.spark.sql.RuntimeConfig;

/** Temporary session settings. */
final class Conf {
  private Conf() {}

  static <T> T with(String key, String value, Supplier<T> work) {
    RuntimeConfig conf = LocalSpark.session().conf();
    conf.set(key, value);
    try {
      return work.get();
    } finally {
      conf.unset(key);
    }
  }

  /** Runs work without the Accelerator. */
  static <T> T withoutRapids(Supplier<T> work) {
    return with("spark.rapids.sql.enabled", "false", work);
  }
}
