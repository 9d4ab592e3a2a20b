/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The scalar functions beside the RAPIDS Accelerator for Apache Spark: a query that calls them
 * stays on the GPU. {@link io.sparknd.udf.gpu.GpuExtensions} makes each call one that the
 * Accelerator knows, a {@code ScalaUDF} whose function is a {@code RapidsUDF}; it takes no other
 * expression, and no subclass.
 */
package io.sparknd.udf.gpu;
