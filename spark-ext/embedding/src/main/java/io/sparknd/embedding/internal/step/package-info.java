/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A training step: a shard requests the rows of its part of a mini-batch, computes gradients and
 * sends them to the owners of the rows, which apply them; not part of the public API.
 */
@NullMarked
package io.sparknd.embedding.internal.step;

import org.jspecify.annotations.NullMarked;
