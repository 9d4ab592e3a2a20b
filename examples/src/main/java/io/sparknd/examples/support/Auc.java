/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The area under the ROC curve: the probability that a positive example has a higher score than a
 * negative one; ties count half. 0.5 is chance.
 */
public final class Auc {
  private Auc() {}

  /** Returns the AUC of the scores of positive and of negative examples, at least one each. */
  public static double of(double[] positives, double[] negatives) {
    boolean[] labels = new boolean[positives.length + negatives.length];
    Arrays.fill(labels, 0, positives.length, true);
    double[] scores = Arrays.copyOf(positives, labels.length);
    System.arraycopy(negatives, 0, scores, positives.length, negatives.length);
    return of(scores, labels);
  }

  /**
   * Returns the AUC of the scores of examples.
   *
   * @param positive the label of each score; both labels must occur
   */
  public static double of(double[] scores, boolean[] positive) {
    Integer[] order =
        IntStream.range(0, scores.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> scores[i]))
            .toArray(Integer[]::new);
    double ranks = 0;
    long positives = 0;
    for (int first = 0; first < order.length; ) {
      int end = first;
      int tied = 0;
      for (; end < order.length && scores[order[end]] == scores[order[first]]; end++) {
        tied += positive[order[end]] ? 1 : 0;
      }
      // ranks count from 1; tied examples get their mean rank
      ranks += tied * (first + 1 + end) / 2.0;
      positives += tied;
      first = end;
    }
    double below = ranks - positives * (positives + 1) / 2.0;
    return below / ((double) positives * (scores.length - positives));
  }
}
