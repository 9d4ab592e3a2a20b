/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;

/** Tests the parser of class files. */
class ClassFileTest {

  @Test
  void referencesAreTheOwnersOfMembersInConstantPoolOrder() {
    ClassWriter writer = TestClasses.writer("a/From");
    writer.newField("a/Fields", "x", "I");
    writer.newMethod("a/Methods", "f", "()V", false);
    writer.newMethod("a/Interfaces", "g", "()V", true);
    writer.newMethod("a/Methods", "h", "()V", false);
    ClassFile file = parsed(writer.toByteArray());
    assertThat(file.references())
        .containsExactly("a/Fields", "a/Methods", "a/Interfaces", "a/Methods");
  }

  @Test
  void classesWithoutMemberReferencesAreNotReferences() {
    ClassWriter writer = TestClasses.writer("a/From");
    writer.newClass("a/Named");
    writer.newConst("a/Text");
    assertThat(parsed(writer.toByteArray()).references()).isEmpty();
  }

  @Test
  void referencesToOwnMembersDoNotCount() {
    ClassFile file = parsed(TestClasses.calling("a/From", "a/From", "b/Other", "a/From"));
    assertThat(file.references()).containsExactly("b/Other");
  }

  @Test
  void arrayTypesCountAsTheirElementTypes() {
    ClassFile file = parsed(TestClasses.calling("a/From", "[[La/Element;", "[I", "[La/From;"));
    assertThat(file.references()).containsExactly("a/Element");
  }

  @Test
  void longAndDoubleConstantsTakeTwoSlots() {
    ClassWriter writer = TestClasses.writer("a/From");
    writer.newConst(1L);
    writer.newMethod("a/First", "f", "()V", false);
    writer.newConst(2.0);
    writer.newMethod("a/Second", "g", "()V", false);
    assertThat(parsed(writer.toByteArray()).references()).containsExactly("a/First", "a/Second");
  }

  @Test
  void nameSizeAndPackageAreThoseOfTheFile() {
    byte[] bytes = TestClasses.calling("a/b/From");
    ClassFile file = parsed(bytes);
    assertThat(file.name()).isEqualTo("a/b/From");
    assertThat(file.bytes()).isEqualTo(bytes.length);
    assertThat(file.packageName()).isEqualTo("a/b");
    assertThat(parsed(TestClasses.calling("From")).packageName()).isEmpty();
  }

  @Test
  void malformedClassFilesAreRejected() {
    byte[] file = TestClasses.calling("a/From", "a/To");
    byte[] fromTheFuture = file.clone();
    fromTheFuture[6] = 0x7F;
    assertThat(ClassFile.parse(new byte[0])).isEmpty();
    assertThat(ClassFile.parse(new byte[100])).isEmpty();
    assertThat(ClassFile.parse(Arrays.copyOf(file, 12))).isEmpty();
    assertThat(ClassFile.parse(fromTheFuture)).isEmpty();
  }

  @Test
  void damagedClassFilesDoNotThrow() {
    byte[] file = TestClasses.calling("a/From", "a/To", "[La/Element;");
    for (int at = 0; at < file.length; at++) {
      byte[] cut = Arrays.copyOf(file, at);
      byte[] flipped = file.clone();
      flipped[at] ^= (byte) 0xFF;
      assertThatCode(() -> ClassFile.parse(cut)).doesNotThrowAnyException();
      assertThatCode(() -> ClassFile.parse(flipped)).doesNotThrowAnyException();
    }
  }

  private static ClassFile parsed(byte[] bytes) {
    return ClassFile.parse(bytes).orElseThrow();
  }
}
