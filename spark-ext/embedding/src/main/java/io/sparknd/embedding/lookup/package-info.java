/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Arguments of embedding lookups: columns of ids and weights, and how the rows of a list are
 * combined.
 */
package io.sparknd.embedding.lookup;
