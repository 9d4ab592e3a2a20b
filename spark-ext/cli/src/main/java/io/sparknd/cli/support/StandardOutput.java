/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Standard output, which remembers that it could not be written. */
public final class StandardOutput extends OutputStream {
  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private @Nullable IOException failure;

  /**
   * Returns a writer in the terminal's charset; in UTF-8 if that is ASCII, as without a locale,
   * since ASCII would make question marks of other characters.
   */
  public PrintWriter writer() {
    return new PrintWriter(new OutputStreamWriter(this, charset()), true);
  }

  private static Charset charset() {
    Charset charset = StandardError.charset("stdout.encoding");
    return charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
  }

  /** Returns why a write failed; null if none did. */
  public @Nullable IOException failure() {
    return failure;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}
