/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The search for nearest neighbors. Blocks of queries are shuffled to every partition of a table,
 * each partition finds its nearest rows for each query, and these are merged.
 *
 * <p>Internal; not part of the public API.
 */
@NullMarked
package io.sparknd.embedding.internal.nearest;

import org.jspecify.annotations.NullMarked;
