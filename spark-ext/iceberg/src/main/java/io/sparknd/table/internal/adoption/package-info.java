/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Adoption of existing Iceberg tables as feature tables or tensor tables, with checks of their
 * rows.
 */
@NullMarked
package io.sparknd.table.internal.adoption;

import org.jspecify.annotations.NullMarked;
