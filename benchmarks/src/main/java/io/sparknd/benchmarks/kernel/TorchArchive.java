/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes TorchScript modules without attributes in the archive format of {@code torch.jit.save}. */
public final class TorchArchive {
  private static final String FORMAT_VERSION = "3\n";

  private static final byte[] NO_CONSTANTS = pickle(")");

  private TorchArchive() {}

  private static byte[] pickle(String body) {
    return ("\u0080\u0002" + body + ".").getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns the archive of a module.
   *
   * @param name the name of the module's class
   * @param code the class in serialized TorchScript
   */
  public static InputStream of(String name, String code) throws IOException {
    // pickle protocol 2 of a module instance without attributes
    byte[] module = pickle("c__torch__\n" + name + "\n)\u0081}X\u0008\0\0\0training\u0089sb");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, "data.pkl", module);
      put(zip, "code/__torch__.py", code.getBytes(StandardCharsets.UTF_8));
      put(zip, "constants.pkl", NO_CONSTANTS);
      put(zip, "version", FORMAT_VERSION.getBytes(StandardCharsets.UTF_8));
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry("archive/" + name));
    zip.write(content);
    zip.closeEntry();
  }
}
