/* SPDX-License-Identifier: Apache-2.0 */

/** Models of several tables and dense parameters, beside the same models in plain PyTorch. */
package io.sparknd.examples.dense;
