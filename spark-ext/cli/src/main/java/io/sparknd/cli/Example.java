/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import java.util.concurrent.Callable;

/**
 * A story that {@code bin/sparknd example NAME} runs. Found as a service, so that the engine need
 * not know the module that tells it. Fields may have picocli's {@code @Option}.
 */
public interface Example extends Callable<Integer> {
  /** The word on the command line. */
  String name();

  /** One line for the list of examples. */
  String summary();

  /** Runs the story and prints what it did. */
  void run() throws Exception;

  /** Runs the story as a command. */
  @Override
  default Integer call() throws Exception {
    run();
    return 0;
  }
}
