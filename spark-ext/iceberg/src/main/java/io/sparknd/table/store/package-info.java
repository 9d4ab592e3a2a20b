/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What is where: the properties of a tensor's table, and the files of its blocks at a snapshot. Not
 * for users.
 */
package io.sparknd.table.store;
