/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import ai.djl.ndarray.NDArray;
import io.sparknd.djl.DjlModel;
import io.sparknd.djl.ModelArrays;
import io.sparknd.embedding.ModelSpec;

/**
 * A model that predicts.
 *
 * @param <B> examples
 */
public interface ScoredModel<B> extends DjlModel<B> {
  /** Returns the definition of tables and dense parameters. */
  ModelSpec spec();

  /** Returns a score for each example, {@code [count]}. */
  NDArray scores(B batch, ModelArrays arrays);
}
