/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code sparknd demo}: scatters and gathers of real input on a Spark of its own, each checked
 * against the local kernel. {@link io.sparknd.cli.demo.DemoCommand} is the way in.
 *
 * <p>{@code ClassTensors} makes index tuples and updates of what {@code ClassFiles} reads from the
 * class path, {@code ClassJob} runs them on a {@code CheckedEngine}, and {@code ClassReport} says
 * what came out. {@code FileInput} does the same with files of the user's.
 */
package io.sparknd.cli.demo;
