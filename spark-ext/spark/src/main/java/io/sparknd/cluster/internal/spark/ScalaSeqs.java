/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.Iterable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Converts Java lists to the Scala sequences of Spark's plans, and back. */
public final class ScalaSeqs {
  private ScalaSeqs() {}

  public static <T> Seq<T> of(List<T> list) {
    return CollectionConverters.asScala(list).toSeq();
  }

  public static <T> List<T> list(scala.collection.Seq<T> sequence) {
    return CollectionConverters.asJava(sequence);
  }

  @SuppressWarnings("unchecked") // every attribute is an expression, and nothing is added
  public static AttributeSet set(Seq<Attribute> attributes) {
    return AttributeSet.apply((Iterable<Expression>) (Iterable<?>) attributes);
  }
}
