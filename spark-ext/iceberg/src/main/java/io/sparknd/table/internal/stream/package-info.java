/* SPDX-License-Identifier: Apache-2.0 */
/** Changes of tables as a source of streaming queries. */
@NullMarked
package io.sparknd.table.internal.stream;

import org.jspecify.annotations.NullMarked;
