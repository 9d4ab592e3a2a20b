/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import java.net.URL;
import org.apache.spark.util.MutableURLClassLoader;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Sets a class loader that the Accelerator can add jars to, as {@code spark-submit} does. */
public final class LoaderForRapids implements LauncherSessionListener {
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Thread thread = Thread.currentThread();
    thread.setContextClassLoader(
        new MutableURLClassLoader(new URL[0], thread.getContextClassLoader()));
  }
}
