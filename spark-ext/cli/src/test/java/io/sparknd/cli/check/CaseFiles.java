/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds a case folder. */
public final class CaseFiles {
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final Map<String, Tensor> arrays = new LinkedHashMap<>();

  private CaseFiles() {}

  /** Starts a case of the operator {@code op}. */
  public static CaseFiles of(String op) {
    return new CaseFiles().attribute("op", op);
  }

  /**
   * Adds a key of {@code attrs.json}.
   *
   * @param value a value that Jackson can write
   */
  public CaseFiles attribute(String key, Object value) {
    attributes.put(key, value);
    return this;
  }

  public CaseFiles data(Tensor tensor) {
    return array("data", tensor);
  }

  public CaseFiles indices(Tensor tensor) {
    return array("indices", tensor);
  }

  public CaseFiles updates(Tensor tensor) {
    return array("updates", tensor);
  }

  public CaseFiles expected(Tensor tensor) {
    return array("expected", tensor);
  }

  private CaseFiles array(String name, Tensor tensor) {
    arrays.put(name, tensor);
    return this;
  }

  /** Writes the case to {@code directory/name}. */
  public CaseFolder write(Path directory, String name) {
    Path folder = directory.resolve(name);
    try {
      Files.createDirectories(folder);
      Files.write(
          folder.resolve(CaseFolder.ATTRIBUTES), new ObjectMapper().writeValueAsBytes(attributes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    arrays.forEach((array, tensor) -> Npy.write(tensor, folder.resolve(array + ".npy")));
    return new CaseFolder(name, folder);
  }

  @Override
  public String toString() {
    return attributes.toString();
  }
}
