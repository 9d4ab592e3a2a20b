/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Adoption of Iceberg tables that exist, as feature tables or tensors' tables, and the problems of
 * their rows.
 */
@NullMarked
package io.sparknd.table.internal.adoption;

import org.jspecify.annotations.NullMarked;
