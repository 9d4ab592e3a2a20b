/* SPDX-License-Identifier: Apache-2.0 */
/** The tasks of feature tables: updates, compactions and lookups of blocks of keys. */
@NullMarked
package io.sparknd.table.internal.keyed;

import org.jspecify.annotations.NullMarked;
