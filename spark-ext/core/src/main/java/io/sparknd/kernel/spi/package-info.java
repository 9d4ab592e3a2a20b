/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a kernel provider implements, for {@link java.util.ServiceLoader}: the loops of a scatter
 * and of a gather over arrays.
 */
@NullMarked
package io.sparknd.kernel.spi;

import org.jspecify.annotations.NullMarked;
