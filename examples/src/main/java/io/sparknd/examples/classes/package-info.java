/* SPDX-License-Identifier: Apache-2.0 */
/** The parts of {@code class2vec}: embeddings of the classes of the class path, by random walks. */
package io.sparknd.examples.classes;
