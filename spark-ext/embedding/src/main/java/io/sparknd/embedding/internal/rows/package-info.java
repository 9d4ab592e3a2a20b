/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Partitions of an embedding table: rows of weights and their optimizer state, in small
 * copy-on-write blocks that versions share.
 */
@NullMarked
package io.sparknd.embedding.internal.rows;

import org.jspecify.annotations.NullMarked;
