/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Publications of tables: steps from one snapshot to another, and the online stores that take their
 * rows.
 */
@NullMarked
package io.sparknd.table.internal.publish;

import org.jspecify.annotations.NullMarked;
