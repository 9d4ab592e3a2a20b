/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import scala.Product;

/** What the Scala compiler generates for a case class: Spark's trees copy and print nodes by it. */
public interface CaseClass extends Product {
  /** Returns the parameters of the constructor, in order. */
  List<Object> fields();

  @Override
  default int productArity() {
    return fields().size();
  }

  @Override
  default Object productElement(int n) {
    return fields().get(n);
  }

  @Override
  default boolean canEqual(Object other) {
    return getClass().isInstance(other);
  }

  /** Returns whether {@code other} is of the same class and has equal fields. */
  static boolean areEqual(CaseClass one, Object other) {
    return one.canEqual(other) && one.fields().equals(((CaseClass) other).fields());
  }
}
