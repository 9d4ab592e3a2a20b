/* SPDX-License-Identifier: Apache-2.0 */
/** Iceberg tables in Spark SQL plans: detects which tables hold tensors, and at which snapshot. */
package io.sparknd.table.internal.sql;
