/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import org.apache.spark.package$;
import picocli.CommandLine.IVersionProvider;

/** The text that {@code --version} prints. */
final class VersionText implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String own = VersionText.class.getPackage().getImplementationVersion();
    return new String[] {
      "sparknd " + (own == null ? "(not from a jar)" : own),
      "Spark " + package$.MODULE$.SPARK_VERSION() + ", Java " + Runtime.version(),
    };
  }
}
