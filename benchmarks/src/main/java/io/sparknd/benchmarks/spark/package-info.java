/* SPDX-License-Identifier: Apache-2.0 */
/** Distributed tensors beside what people write in Spark today, in turn in one session. */
package io.sparknd.benchmarks.spark;
