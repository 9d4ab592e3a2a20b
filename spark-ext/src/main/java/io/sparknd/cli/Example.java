/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

/**
 * A story that {@code bin/sparknd example NAME} runs. Found as a service, so that the engine need
 * not know the module that tells it.
 */
public interface Example {
  /** The word on the command line. */
  String name();

  /** One line for the list of examples. */
  String summary();

  /** Runs the story and prints what it did. */
  void run() throws Exception;
}
