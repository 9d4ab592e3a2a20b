/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The driver's side of writes to tables: scatters, compactions, evictions, resizes and expiries. A
 * commit succeeds as a whole, or is retried. Not for users.
 */
@NullMarked
package io.sparknd.table.internal.commit;

import org.jspecify.annotations.NullMarked;
