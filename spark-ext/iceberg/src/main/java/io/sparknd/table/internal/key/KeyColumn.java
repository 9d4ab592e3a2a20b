/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import java.io.Serializable;

/**
 * A column of a table's key.
 *
 * @param fieldId id of the column in the Iceberg schema
 */
public record KeyColumn(String name, int fieldId, KeyType type) implements Serializable {}
