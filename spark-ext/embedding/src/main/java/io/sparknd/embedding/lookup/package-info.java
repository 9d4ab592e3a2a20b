/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Arguments of embedding lookups: columns of ids and weights, and how the rows of a list are
 * combined.
 */
@NullMarked
package io.sparknd.embedding.lookup;

import org.jspecify.annotations.NullMarked;
