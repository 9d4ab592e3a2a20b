/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The errors of Spark SQL calls. The plans of the functions are in {@link
 * io.sparknd.sql.internal.plan}.
 */
@NullMarked
package io.sparknd.sql.internal;

import org.jspecify.annotations.NullMarked;
