/* SPDX-License-Identifier: Apache-2.0 */
/** Spark's {@code INSERT}, streams and {@code ALTER TABLE} on tables of a {@code TensorCatalog}. */
@NullMarked
package io.sparknd.table.internal.catalog;

import org.jspecify.annotations.NullMarked;
