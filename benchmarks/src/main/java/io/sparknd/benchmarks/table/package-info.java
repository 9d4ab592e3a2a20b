/* SPDX-License-Identifier: Apache-2.0 */
/** Benchmarks of scatters into tables against MERGE INTO of Iceberg and Delta. */
package io.sparknd.benchmarks.table;
