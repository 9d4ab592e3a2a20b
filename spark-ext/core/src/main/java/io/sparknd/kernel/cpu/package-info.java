/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels in Java: {@link io.sparknd.kernel.cpu.ScalarProvider} in plain loops, {@link
 * io.sparknd.kernel.cpu.VectorProvider} with the Vector API.
 *
 * <p>A lane is the small loops of one array type, one loop an operation; which loop runs is settled
 * before it starts. Lanes are written for one type only ({@code FloatCopyLoop}, {@code
 * FloatReduceLoop}, {@code FloatRealReduceLoop}, {@code LongUnsignedReduceLoop}, {@code
 * ComplexFloatReduceLoop}, {@code Float16ReduceLoop}, and those with {@code Vector} in their name);
 * {@code src/build/java/LoopGenerator.java} makes the others from them before each compilation.
 */
package io.sparknd.kernel.cpu;
