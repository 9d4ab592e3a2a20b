/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels in Java: {@link io.sparknd.kernel.cpu.ScalarProvider} in plain loops, {@link
 * io.sparknd.kernel.cpu.VectorProvider} with the Vector API.
 *
 * <p>A loop class holds the loops of one array type, one per operation; the loop is chosen before
 * it starts. Most are written for one type only ({@code FloatCopyLoop}, {@code FloatReduceLoop},
 * {@code FloatRealReduceLoop}, {@code FloatScalarLoop}, {@code LongUnsignedReduceLoop}, {@code
 * ComplexFloatReduceLoop}, {@code Float16ReduceLoop}, and those with {@code Vector} in their name);
 * {@code src/build/java/LoopGenerator.java} generates the others from them before each compilation.
 */
@NullMarked
package io.sparknd.kernel.cpu;

import org.jspecify.annotations.NullMarked;
