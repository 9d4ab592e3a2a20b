/* SPDX-License-Identifier: Apache-2.0 */
/** What a suite writes: a table, a chart and JSON. */
package io.sparknd.benchmarks.report;
