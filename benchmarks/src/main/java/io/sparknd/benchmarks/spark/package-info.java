/** Distributed tensors beside what people write in Spark today, in turn in one session. */
package io.sparknd.benchmarks.spark;
