/* SPDX-License-Identifier: Apache-2.0 */
/** Iceberg tables in the plans of Spark SQL: which of them hold tensors, and at which snapshot. */
package io.sparknd.table.sql;
