/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Cases in which SparkND and a library differ, and are meant to.
 *
 * @param cases matches what {@link LibraryCase#toString} returns
 * @param reason why they differ
 */
record LibraryDifference(Pattern cases, String reason) {
  private static final String ZEROS =
      "the library takes 0.0 and -0.0 as equal and keeps either; SparkND orders -0.0 before 0.0";
  private static final String NANS =
      "the library compares with < or >, so the place of a NaN decides; SparkND gives NaN";
  private static final String IDENTITY =
      "PyTorch starts from 0.0 without self, so that -0.0 is lost; SparkND from the first update";

  private static final List<LibraryDifference> ALL =
      List.of(
          of("tensorflow.tensorScatterNd(Min|Max) of .*, NaN.*", NANS),
          of("tensorflow.tensorScatterNd(Min|Max) of .*, zero.*", ZEROS),
          of("torch.scatterReduce.*\"(amax|amin)\".*true.* of .*, zero.*", ZEROS),
          of("torch.scatterReduce.*\"amax\".*false.* of .*, zero duplicates", ZEROS),
          of("torch.scatterReduce.*\"(sum|mean)\".*false.* of .*, (zero.*|specials)", IDENTITY),
          of(
              "torch.scatterReduce.*\"mean\".*true.* of float16, overflow",
              "PyTorch rounds the sum of a mean to float16 before it divides; SparkND the quotient"),
          of(
              "torch.indexAdd.* of complex.*, specials",
              "PyTorch multiplies by a complex alpha, also by 1+0j, and infinity * 0j is NaN;"
                  + " SparkND scales both parts"),
          of(
              "jax.* bad: extreme",
              "JAX keeps the lower 32 bits of an int64 index; SparkND reads all"),
          of(
              "jax.divide of (bfloat16|float32|float64), overflow",
              "JAX's compiler flushes subnormals to zero"),
          of("numpy.(minimumAt|maximumAt|fminAt|fmaxAt) of .*, zeros", ZEROS),
          of("numpy.(minimumAt|fminAt) of .*, zero duplicates", ZEROS),
          of("numpy.(maximumAt|fmaxAt) of float16, zero duplicates", ZEROS),
          of("onnx.scatterElements.*\"(min|max)\".* of .*, NaN.*", NANS),
          of("onnx.scatterNd.*\"(min|max)\".* of float(32|64), NaN.*", NANS),
          of("onnx.scatter(Nd|Elements).*\"(min|max)\".* of .*, zeros", ZEROS),
          of("onnx.scatter(Nd|Elements).*\"min\".* of .*, zero duplicates", ZEROS),
          of("onnx.scatterNd.*\"max\".* of float16, zero duplicates", ZEROS),
          of("onnx.scatterElements.*\"max\".* of b?float16, zero duplicates", ZEROS));

  private static LibraryDifference of(String cases, String reason) {
    return new LibraryDifference(Pattern.compile(cases), reason);
  }

  static Stream<LibraryDifference> all() {
    return ALL.stream();
  }

  boolean covers(LibraryCase c) {
    return cases.matcher(c.toString()).matches();
  }

  @Override
  public String toString() {
    return cases + ": " + reason;
  }
}
