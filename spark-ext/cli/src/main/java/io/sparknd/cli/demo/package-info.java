/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code sparknd demo}: runs scatters and gathers of real input with its own Spark and
 * checks each against the local kernel. {@link io.sparknd.cli.demo.DemoCommand} is the entry point.
 *
 * <p>{@code ClassTensors} builds index tuples and updates from the class files that {@code
 * ClassFiles} reads from the class path. {@code ClassResults} runs them on a {@code CheckedEngine},
 * and {@code ClassReport} prints the results. {@code FileInput} does the same with the user's
 * files.
 */
@NullMarked
package io.sparknd.cli.demo;

import org.jspecify.annotations.NullMarked;
