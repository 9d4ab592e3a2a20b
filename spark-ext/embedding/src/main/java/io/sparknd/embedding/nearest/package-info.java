/* SPDX-License-Identifier: Apache-2.0 */
/** Nearest neighbors among the rows of an embedding table: metrics, and an index for servers. */
@NullMarked
package io.sparknd.embedding.nearest;

import org.jspecify.annotations.NullMarked;
