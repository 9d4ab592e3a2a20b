/* SPDX-License-Identifier: Apache-2.0 */
/** Export formats of embedding tables, for servers and other libraries. */
@NullMarked
package io.sparknd.embedding.export;

import org.jspecify.annotations.NullMarked;
