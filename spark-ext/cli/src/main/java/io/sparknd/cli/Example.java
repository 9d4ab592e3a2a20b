/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import java.util.concurrent.Callable;

/**
 * An example that {@code bin/sparknd example NAME} runs. Examples are loaded as services, so that
 * the command line does not depend on their modules. Fields may have picocli's {@code @Option}.
 */
public interface Example extends Callable<Integer> {
  /** Returns the example's name on the command line. */
  String name();

  /** Returns one line for the list of examples. */
  String summary();

  /** Runs the example and prints its results. */
  void run() throws Exception;

  /** Runs the example as a command. */
  @Override
  default Integer call() throws Exception {
    run();
    return 0;
  }
}
