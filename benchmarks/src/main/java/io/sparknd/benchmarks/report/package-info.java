/* SPDX-License-Identifier: Apache-2.0 */
/** Reports of benchmark suites: a table, a chart and JSON. */
package io.sparknd.benchmarks.report;
