/* SPDX-License-Identifier: Apache-2.0 */
/** Metrics of predictions, which are computed in the cluster. */
@NullMarked
package io.sparknd.embedding.evaluation;

import org.jspecify.annotations.NullMarked;
