/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Optimizers of embedding rows, their learning rate schedules, and row initializers.
 *
 * <p>Arithmetic is float32 without fused operations, in the order written in each rule, so the same
 * rule in NumPy gives the same bits. Optimizer parameters are doubles. Values that do not depend on
 * a row, such as Adam's bias corrections, are computed in double with {@link StrictMath} and
 * rounded once; the bits are the same on every machine.
 *
 * <p>Optimizers and initializers are values that Jackson serializes: polymorphic by {@code kind},
 * each number to the bit. Unknown or out-of-bounds values are Jackson errors; so are missing ones,
 * given {@code FAIL_ON_MISSING_CREATOR_PROPERTIES}. Of a custom {@link
 * io.sparknd.embedding.optimizer.OptimizerRule}, JSON stores the name and the slots; reading it
 * never instantiates another class.
 */
@NullMarked
package io.sparknd.embedding.optimizer;

import org.jspecify.annotations.NullMarked;
