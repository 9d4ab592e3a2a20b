/* SPDX-License-Identifier: Apache-2.0 */
/** The procedures in {@link io.sparknd.sql.NdCatalog}, contributed by any module. */
@NullMarked
package io.sparknd.sql.internal.procedure;

import org.jspecify.annotations.NullMarked;
