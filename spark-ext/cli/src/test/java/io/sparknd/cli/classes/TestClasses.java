/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.classes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Creates class files with known references, and jars of them. */
public final class TestClasses {
  private TestClasses() {}

  /** Returns a class file with a reference to one method of each of {@code owners}. */
  public static byte[] calling(String name, String... owners) {
    ClassWriter writer = writer(name);
    for (int i = 0; i < owners.length; i++) {
      writer.newMethod(owners[i], "method" + i, "()V", false);
    }
    return writer.toByteArray();
  }

  public static ClassWriter writer(String name) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    return writer;
  }

  /** Writes a jar with these entries. */
  public static Path jar(Path file, Map<String, byte[]> entries) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream jar = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        jar.putNextEntry(new ZipEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
    return file;
  }
}
