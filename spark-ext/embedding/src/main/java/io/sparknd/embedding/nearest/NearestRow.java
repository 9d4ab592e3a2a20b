/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.nearest;

/**
 * A row that a search found.
 *
 * @param score of {@link VectorMetric#score}
 */
public record NearestRow(long id, double score) {}
