/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Implementation of {@code class2vec}: embeddings of the classes on the class path, by random
 * walks.
 */
package io.sparknd.examples.classes;
