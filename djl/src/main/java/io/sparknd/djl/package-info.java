/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Steps of embedding models that are written with DJL's arrays and blocks, and whose gradients
 * PyTorch's engine computes.
 */
@org.jspecify.annotations.NullMarked
package io.sparknd.djl;
