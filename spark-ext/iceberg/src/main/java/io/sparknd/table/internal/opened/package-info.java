/* SPDX-License-Identifier: Apache-2.0 */
/** Tables of SparkND that SQL or a query names, whatever they hold. */
@NullMarked
package io.sparknd.table.internal.opened;

import org.jspecify.annotations.NullMarked;
