/* SPDX-License-Identifier: Apache-2.0 */
/** The errors of embedding tables; not part of the public API. */
@NullMarked
package io.sparknd.embedding.internal;

import org.jspecify.annotations.NullMarked;
