/* SPDX-License-Identifier: Apache-2.0 */
/** Formats in which embedding tables leave SparkND for servers and other libraries. */
@NullMarked
package io.sparknd.embedding.export;

import org.jspecify.annotations.NullMarked;
