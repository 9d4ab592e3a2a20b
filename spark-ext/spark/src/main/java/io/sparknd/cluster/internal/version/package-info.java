/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Versions of a tensor: they are cached, closed by their users, and their lineage is truncated at
 * intervals, since Spark walks it by recursion.
 */
@NullMarked
package io.sparknd.cluster.internal.version;

import org.jspecify.annotations.NullMarked;
