/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.classes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;

/**
 * A parsed class file: its name, size and references to other classes.
 *
 * @param name in the internal form of class files, such as {@code java/lang/Object}
 * @param bytes the size of the file
 * @param references the owner class of each field or method constant that belongs to another class,
 *     in the order of the constant pool
 */
public record ClassFile(String name, int bytes, List<String> references) {
  private static final int MAGIC = 0xCAFEBABE;

  /** Tags of field, method and interface method references: JVM specification, table 4.4-A. */
  private static final int FIRST_REFERENCE_TAG = 9;

  private static final int LAST_REFERENCE_TAG = 11;

  /** Parses {@code file}; empty if it is not a class file. */
  static Optional<ClassFile> parse(byte[] file) {
    if (file.length < 4 || ByteBuffer.wrap(file).getInt() != MAGIC) {
      return Optional.empty();
    }
    try {
      ClassReader reader = new ClassReader(file);
      return Optional.of(new ClassFile(reader.getClassName(), file.length, references(reader)));
    } catch (RuntimeException e) {
      // ASM does not check bounds: a damaged file can raise any of several exceptions
      return Optional.empty();
    }
  }

  private static List<String> references(ClassReader reader) {
    List<String> references = new ArrayList<>();
    char[] buffer = new char[reader.getMaxStringLength()];
    String self = reader.getClassName();
    for (int item = 1; item < reader.getItemCount(); item++) {
      int at = reader.getItem(item);
      if (at > 0 && isReference(reader.readByte(at - 1))) {
        String owner = element(reader.readClass(at, buffer));
        if (!owner.equals(self) && !owner.isEmpty()) {
          references.add(owner);
        }
      }
    }
    return references;
  }

  private static boolean isReference(int tag) {
    return tag >= FIRST_REFERENCE_TAG && tag <= LAST_REFERENCE_TAG;
  }

  /**
   * Returns the class itself, the element class of an array, or empty for an array of primitives.
   */
  private static String element(String owner) {
    if (owner.charAt(0) != '[') {
      return owner;
    }
    Type element = Type.getObjectType(owner).getElementType();
    return element.getSort() == Type.OBJECT ? element.getInternalName() : "";
  }

  /** Returns the package, such as {@code java/lang}; empty for the unnamed package. */
  public String packageName() {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }
}
