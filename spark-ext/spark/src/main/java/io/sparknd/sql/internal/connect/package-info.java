/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Calls on Datasets of Spark Connect. They run as SQL on the server; nothing here needs classes
 * that a client lacks.
 */
@NullMarked
package io.sparknd.sql.internal.connect;

import org.jspecify.annotations.NullMarked;
