/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checks for optimizers that applications write: call {@link
 * io.sparknd.embedding.testkit.OptimizerChecks} in a test, with any test framework.
 */
@NullMarked
package io.sparknd.embedding.testkit;

import org.jspecify.annotations.NullMarked;
