/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lifecycle;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;

/** When a key gets a row in an embedding table. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = RowAdmission.Immediate.class, name = "immediate"),
  @JsonSubTypes.Type(value = RowAdmission.Counted.class, name = "counted"),
  @JsonSubTypes.Type(value = RowAdmission.Filtered.class, name = "filtered")
})
public sealed interface RowAdmission extends Serializable {

  /** Gives a key a row with its first gradient. */
  static RowAdmission immediate() {
    return new Immediate();
  }

  /**
   * Gives a key a row in the {@code steps}th step that has a gradient of it, however often the key
   * occurs in a step; a gradient that {@code BadGradients.skip()} skips does not count. Gradients
   * of earlier steps are dropped, and until then the key reads as the initializer's value. Counts
   * are exact, one for each key that occurred and has no row; an evicted key starts again from 0.
   *
   * @param steps at least 1, which is the same as {@link #immediate}
   */
  static RowAdmission after(long steps) {
    return new Counted(steps);
  }

  /**
   * Gives a key a row as {@link #after} does, but counts in a counting Bloom filter, whose memory
   * is bounded. Where other keys share all counters of a key, its count is too high, and it gets
   * its row in an earlier step; never in a later one. Which keys these are depends on keys, steps
   * and seed alone, so rows are the same at every number of partitions. {@link
   * Filtered#withEarlyRate} sets how many keys are expected to get rows early, one in 100 by
   * default.
   *
   * <p>A key keeps its count when it gets a row: an evicted key gets a row with its next gradient,
   * unless its count was forgotten. {@link RowEviction#idle} forgets counts.
   *
   * @param steps 1 to 65,536
   * @param keys 1 to 2^32: different keys that are counted until counts are forgotten. With more,
   *     the early rate increases; memory does not
   */
  static Filtered filtered(long steps, long keys) {
    return new Filtered(steps, keys, Filtered.EARLY_RATE, 0);
  }

  /** See {@link RowAdmission#immediate}. */
  record Immediate() implements RowAdmission {}

  /** See {@link RowAdmission#after}. */
  record Counted(long steps) implements RowAdmission {
    public Counted {
      if (steps < 1) {
        throw EmbeddingErrors.badAdmission("steps of RowAdmission.after", steps, "at least 1");
      }
    }
  }

  /**
   * See {@link RowAdmission#filtered}. The filter has some 10 counters for each key at an early
   * rate of 0.01, some 20 at 0.0001. A counter takes 2 bits for 2 steps, 3 for up to 4, 5 for up to
   * 16, 9 for up to 256, otherwise 17. Filters for less than 2^18 keys take more for each key:
   * there are at least 1,024 buckets of 256 counters. Partitions beyond the number of buckets, the
   * largest power of two up to {@code keys / 256}, from 1,024 to 2^20, have no keys.
   *
   * @param earlyRate 0.0001 to 0.5: the probability that a key gets a row early, if at most {@code
   *     keys} different keys are counted
   * @param seed seed of the hash functions
   */
  record Filtered(long steps, long keys, double earlyRate, long seed) implements RowAdmission {
    private static final double EARLY_RATE = 0.01;
    private static final long MAX_STEPS = 1 << 16;
    private static final long MAX_KEYS = 1L << 32;

    public Filtered {
      if (steps < 1 || steps > MAX_STEPS) {
        throw bad("steps", steps, "1 to 65536");
      }
      if (keys < 1 || keys > MAX_KEYS) {
        throw bad("keys", keys, "1 to 4294967296");
      }
      if (!(earlyRate >= 1e-4 && earlyRate <= 0.5)) {
        throw bad("earlyRate", earlyRate, "0.0001 to 0.5");
      }
    }

    private static RuntimeException bad(String name, Object value, String bounds) {
      return EmbeddingErrors.badAdmission(name + " of RowAdmission.filtered", value, bounds);
    }

    /** Sets the probability that a key gets a row early. */
    public Filtered withEarlyRate(double rate) {
      return new Filtered(steps, keys, rate, seed);
    }

    /** Sets the seed of the hash functions. */
    public Filtered withSeed(long other) {
      return new Filtered(steps, keys, earlyRate, other);
    }
  }
}
