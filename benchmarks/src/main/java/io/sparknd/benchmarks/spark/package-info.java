/* SPDX-License-Identifier: Apache-2.0 */
/** Benchmarks of distributed tensors against usual Spark queries, interleaved in one session. */
package io.sparknd.benchmarks.spark;
