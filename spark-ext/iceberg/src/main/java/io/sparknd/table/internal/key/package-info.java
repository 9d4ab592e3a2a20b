/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Keys of labelled axes: their encoding as ordered bytes, their buckets, and the lookup of keys in
 * sorted lists.
 */
@NullMarked
package io.sparknd.table.internal.key;

import org.jspecify.annotations.NullMarked;
