/* SPDX-License-Identifier: Apache-2.0 */
/** Columns of examples, and the mini-batches of arrays that are made of them. */
@NullMarked
package io.sparknd.embedding.feed;

import org.jspecify.annotations.NullMarked;
