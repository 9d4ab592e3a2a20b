/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.Optional;

/**
 * The result of a run.
 *
 * @param <V> a table or a model
 * @param version the last version
 * @param best the version with the best validation, if it is kept
 */
record TrainingResult<V>(V version, TrainingHistory history, Optional<ValidatedVersion<V>> best) {}
