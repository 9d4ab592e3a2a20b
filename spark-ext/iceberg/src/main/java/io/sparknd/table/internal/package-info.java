/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensor tables; not part of the public API. {@code file}: rows in Parquet files. {@code store}: a
 * table's properties and the files of its blocks. {@code block}: tasks that read blocks and fold
 * updates into them. {@code commit}: the driver's side of a write. {@code read}: the driver's side
 * of a read. {@code sql} and {@code procedure}: tensor tables in Spark SQL.
 */
@NullMarked
package io.sparknd.table.internal;

import org.jspecify.annotations.NullMarked;
