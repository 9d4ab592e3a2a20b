/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The driver's side of a scatter into a table: the shuffle, the job, and a commit that succeeds as
 * a whole or is retried. Not for users.
 */
@NullMarked
package io.sparknd.table.internal.commit;

import org.jspecify.annotations.NullMarked;
