/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Feature tables as Iceberg stores them: the axis and the columns that properties and schema
 * describe, and the files of blocks.
 */
@NullMarked
package io.sparknd.table.internal.feature;

import org.jspecify.annotations.NullMarked;
