/* SPDX-License-Identifier: Apache-2.0 */
/** The procedures of {@link io.sparknd.sql.NdCatalog}: what they take, and the rows they give. */
package io.sparknd.sql.procedure;
