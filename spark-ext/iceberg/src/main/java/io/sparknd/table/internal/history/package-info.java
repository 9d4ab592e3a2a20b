/* SPDX-License-Identifier: Apache-2.0 */
/** The states that a table had over time, and the files that each of them consists of. */
@NullMarked
package io.sparknd.table.internal.history;

import org.jspecify.annotations.NullMarked;
