/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Iceberg tables in Spark SQL plans: detects which tables hold tensors or features, and at which
 * snapshot.
 */
@NullMarked
package io.sparknd.table.internal.sql;

import org.jspecify.annotations.NullMarked;
