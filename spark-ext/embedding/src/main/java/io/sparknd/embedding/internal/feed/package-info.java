/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Mini-batches of Datasets: {@code FeatureEncoding} makes numbers of columns, {@code FeatureChunk}
 * packs rows, {@code EpochOrder} shuffles them, and {@code BatchAssembly} copies batches.
 */
@NullMarked
package io.sparknd.embedding.internal.feed;

import org.jspecify.annotations.NullMarked;
