/* SPDX-License-Identifier: Apache-2.0 */
/** Procedures of {@link io.sparknd.sql.NdCatalog} on saved embedding tables. */
@NullMarked
package io.sparknd.embedding.internal.procedure;

import org.jspecify.annotations.NullMarked;
