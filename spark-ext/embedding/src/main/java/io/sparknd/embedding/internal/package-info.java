/* SPDX-License-Identifier: Apache-2.0 */
/** The errors of embedding tables; not part of the public API. */
package io.sparknd.embedding.internal;
