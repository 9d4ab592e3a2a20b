/* SPDX-License-Identifier: Apache-2.0 */
/** Results of calls to {@link io.sparknd.table.TensorTable}. */
package io.sparknd.table.result;
