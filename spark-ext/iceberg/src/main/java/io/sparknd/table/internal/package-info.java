/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensor tables and feature tables; not part of the public API. A package depends only on packages
 * above it in this list:
 *
 * <ul>
 *   <li>{@code key}: keys as ordered bytes, and their buckets
 *   <li>{@code cell}: values of a column in memory, and the folds of reductions
 *   <li>{@code file}: rows in Parquet files
 *   <li>{@code scan}: scans in column batches
 *   <li>{@code store}: tensor tables as Iceberg stores them: properties, and files of blocks
 *   <li>{@code feature}: feature tables as Iceberg stores them
 *   <li>{@code block}: tasks that read and fold blocks of tensor tables
 *   <li>{@code history}: the files of all snapshots
 *   <li>{@code keyed}: tasks that look up and fold blocks of feature tables
 *   <li>{@code opened}: a table of either kind that a query names
 *   <li>{@code adoption}: adoption of existing tables
 *   <li>{@code commit}: the driver's side of a write
 *   <li>{@code read}: the driver's side of a read
 *   <li>{@code stream}: changes as a streaming source
 *   <li>{@code publish}: publications to online stores
 *   <li>{@code catalog}, {@code sql}, {@code procedure}: tables in Spark SQL: writes, reads and
 *       calls
 * </ul>
 */
@NullMarked
package io.sparknd.table.internal;

import org.jspecify.annotations.NullMarked;
