/* SPDX-License-Identifier: Apache-2.0 */
/** Scatters into tables beside MERGE INTO of Iceberg and Delta. */
package io.sparknd.benchmarks.table;
