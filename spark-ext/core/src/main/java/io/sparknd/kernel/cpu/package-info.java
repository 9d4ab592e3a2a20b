/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels in Java: {@link io.sparknd.kernel.cpu.ScalarProvider} in plain loops, {@link
 * io.sparknd.kernel.cpu.VectorProvider} with the Vector API.
 *
 * <p>A lane is the small loops of one array type, one loop an operation; which loop runs is settled
 * before it starts. Lanes are written for one type only ({@code FloatMoves}, {@code FloatLane},
 * {@code FloatRealLane}, {@code LongUnsignedLane}, {@code ComplexFloatLane}, {@code Float16Lane},
 * and those with {@code Vector} in their name); {@code src/build/java/LaneGenerator.java} makes the
 * others from them before each compilation.
 */
package io.sparknd.kernel.cpu;
