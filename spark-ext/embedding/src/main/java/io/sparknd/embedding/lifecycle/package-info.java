/* SPDX-License-Identifier: Apache-2.0 */
/** What becomes of the rows of an embedding table: which of their uses are kept, and which go. */
@NullMarked
package io.sparknd.embedding.lifecycle;

import org.jspecify.annotations.NullMarked;
