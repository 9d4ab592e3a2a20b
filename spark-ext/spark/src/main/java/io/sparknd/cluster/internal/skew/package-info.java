/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Slices that get far more updates than others (hot slices). Map tasks sample the destinations of
 * updates ({@link io.sparknd.cluster.internal.skew.HeavyHitterSample}), a cost model decides
 * whether a split pays ({@link io.sparknd.cluster.internal.skew.SkewPolicy}), and separate tasks
 * fold such slices by columns ({@link io.sparknd.cluster.internal.skew.SplitSliceFold}).
 */
@NullMarked
package io.sparknd.cluster.internal.skew;

import org.jspecify.annotations.NullMarked;
