/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How a row of an embedding learns from its gradient: optimizers, schedules of their learning rate,
 * and how rows begin.
 *
 * <p>Everything is float32 without fused operations, in the order that is written in each rule, so
 * that the same rule in NumPy gives the same bits. Numbers that belong to an optimizer are doubles;
 * what is made of them before a row is seen, such as Adam's bias corrections, is double too, with
 * {@link StrictMath}, and rounded once: every machine has the same bits.
 *
 * <p>Optimizers and initializers are values that Jackson writes and reads: polymorphic by {@code
 * kind}, each number to the bit. What is unknown or out of bounds is Jackson's error; so is what is
 * missing, given {@code FAIL_ON_MISSING_CREATOR_PROPERTIES}.
 */
package io.sparknd.embedding.optimizer;
