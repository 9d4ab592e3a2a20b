/* SPDX-License-Identifier: Apache-2.0 */
/** The procedures that {@link io.sparknd.sql.NdCatalog} finds, whichever module they are from. */
package io.sparknd.sql.procedure;
