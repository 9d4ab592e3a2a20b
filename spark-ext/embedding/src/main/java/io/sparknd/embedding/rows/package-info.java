/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One partition of an embedding table: rows of weights, and what the optimizer keeps beside them,
 * in small blocks that versions share until they are written.
 */
package io.sparknd.embedding.rows;
