/* SPDX-License-Identifier: Apache-2.0 */
/** The procedures in {@link io.sparknd.sql.NdCatalog}, contributed by any module. */
package io.sparknd.sql.internal.procedure;
