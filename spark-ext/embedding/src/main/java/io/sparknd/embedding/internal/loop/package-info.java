/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The loops of training steps: by shuffles, in the tasks of a local job, or in the tasks of a
 * barrier job on a cluster; not part of the public API.
 */
@NullMarked
package io.sparknd.embedding.internal.loop;

import org.jspecify.annotations.NullMarked;
