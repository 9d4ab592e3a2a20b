/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.io.Serializable;

/** The names of the parameters in the rows of a table of dense parameters. */
public interface ParameterNames extends Serializable {
  /** Returns the name of the parameter in a row. */
  String name(long row);
}
