/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scans of tables whose lists are read in batches. Iceberg plans them; only the decoding of Parquet
 * files is SparkND's.
 */
@NullMarked
package io.sparknd.table.internal.scan;

import org.jspecify.annotations.NullMarked;
