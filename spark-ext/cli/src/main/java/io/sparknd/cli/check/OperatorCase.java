/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The contents of a case folder. */
record OperatorCase(
    CaseAttributes attributes,
    Optional<Tensor> dataFile,
    Optional<Tensor> indicesFile,
    Optional<Tensor> updatesFile,
    Optional<Tensor> idsFile,
    Optional<Tensor> weightsFile,
    Optional<Tensor> expectedFile) {
  private static final Set<String> ARRAYS =
      Set.of("data", "indices", "updates", "ids", "weights", "expected");

  /**
   * Reads {@code folder}.
   *
   * @throws CaseException if it is malformed or needs an unknown feature
   */
  static OperatorCase read(CaseFolder folder) {
    CaseAttributes attributes = CaseAttributes.read(folder.file(CaseFolder.ATTRIBUTES));
    CaseOperators.check(attributes);
    Map<String, String> dtypes = attributes.dtypes();
    for (String array : dtypes.keySet()) {
      if (!ARRAYS.contains(array)) {
        throw CaseException.unsupported("unknown key 'dtypes.%s'", array);
      }
    }
    return new OperatorCase(
        attributes,
        array(folder, "data", dtype(dtypes, "data")),
        array(folder, "indices", dtype(dtypes, "indices")),
        array(folder, "updates", dtype(dtypes, "updates")),
        array(folder, "ids", dtype(dtypes, "ids")),
        array(folder, "weights", dtype(dtypes, "weights")),
        array(folder, "expected", expectedDType(dtypes)));
  }

  private static Optional<DType> dtype(Map<String, String> dtypes, String array) {
    try {
      return Optional.ofNullable(dtypes.get(array)).map(DType::named);
    } catch (SparkNdException e) {
      throw CaseException.unsupported("dtypes.%s: %s", array, e.getMessage());
    }
  }

  /**
   * Returns the dtype of the expected result. Files store bfloat16 bits as uint16, and results have
   * the dtype of their operands.
   */
  private static Optional<DType> expectedDType(Map<String, String> dtypes) {
    boolean bits = dtypes.containsValue(DType.BFLOAT16.toString());
    return dtype(dtypes, "expected")
        .or(() -> bits ? Optional.of(DType.BFLOAT16) : Optional.empty());
  }

  private static Optional<Tensor> array(CaseFolder folder, String name, Optional<DType> dtype) {
    Path file = folder.file(name + ".npy");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(dtype.map(as -> Npy.read(file, as)).orElseGet(() -> Npy.read(file)));
    } catch (SparkNdException e) {
      throw CaseException.malformed("%s", e.getMessage());
    }
  }

  Tensor data() {
    return needed(dataFile, "data");
  }

  Tensor indices() {
    return needed(indicesFile, "indices");
  }

  Tensor updates() {
    return needed(updatesFile, "updates");
  }

  Tensor ids() {
    return needed(idsFile, "ids");
  }

  Tensor expected() {
    return needed(expectedFile, "expected");
  }

  private static Tensor needed(Optional<Tensor> array, String name) {
    return array.orElseThrow(() -> CaseException.malformed("there is no %s.npy", name));
  }

  int axis() {
    return attributes.integer("axis").orElse(0);
  }

  String op() {
    return attributes.string("op").orElseThrow(() -> CaseException.malformed("there is no op"));
  }
}
