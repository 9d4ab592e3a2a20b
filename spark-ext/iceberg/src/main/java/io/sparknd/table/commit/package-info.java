/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The driver's side of a scatter into a table: the exchange, the job, and the commit that either
 * holds whole or is done again. Not for users.
 */
package io.sparknd.table.commit;
