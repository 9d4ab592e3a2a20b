/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The computation of metrics. Tasks summarize partitions of predictions; the driver merges the
 * summaries, exactly.
 *
 * <p>Internal; not part of the public API.
 */
@NullMarked
package io.sparknd.embedding.internal.evaluation;

import org.jspecify.annotations.NullMarked;
