/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Errors of commits that callers handle in different ways: a commit that lost may be repeated, one
 * whose outcome is unknown may not.
 */
@NullMarked
package io.sparknd.table.exceptions;

import org.jspecify.annotations.NullMarked;
