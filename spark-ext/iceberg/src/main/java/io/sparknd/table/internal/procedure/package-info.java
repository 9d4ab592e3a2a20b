/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The procedures of {@link io.sparknd.sql.NdCatalog}: their parameters and the rows they return.
 */
@NullMarked
package io.sparknd.table.internal.procedure;

import org.jspecify.annotations.NullMarked;
