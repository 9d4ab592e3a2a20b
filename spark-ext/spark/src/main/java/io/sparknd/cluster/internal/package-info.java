/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The engine; not part of the public API. A package depends only on packages above it in this list:
 *
 * <ul>
 *   <li>{@code spark}: the classes of Spark that are not public API
 *   <li>{@code columnar}: slices in rows and columnar batches of Spark
 *   <li>{@code scan}: rows of a table in bulk
 *   <li>{@code partition}: blocks of a tensor, and how they are partitioned
 *   <li>{@code rows}: rows of a Dataset become updates of slices, or requests for them
 *   <li>{@code shuffle}: updates and requests are sent to the partitions that own the slices
 *   <li>{@code exchange}: messages between the tasks of a barrier stage, without a shuffle
 *   <li>{@code skew}: slices with far more updates than others are split over tasks
 *   <li>{@code version}: versions of a tensor are cached, and their lineage is truncated
 *   <li>{@code scatter}: updates are folded into blocks, which makes a new version
 *   <li>{@code gather}: slices are brought to the rows that request them
 *   <li>{@code files}, {@code tables}: tensors come from files and tables, and go there
 * </ul>
 */
@NullMarked
package io.sparknd.cluster.internal;

import org.jspecify.annotations.NullMarked;
