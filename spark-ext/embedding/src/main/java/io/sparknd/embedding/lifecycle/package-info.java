/* SPDX-License-Identifier: Apache-2.0 */
/** Policies for rows of an embedding table: usage records, admission and eviction. */
@NullMarked
package io.sparknd.embedding.lifecycle;

import org.jspecify.annotations.NullMarked;
