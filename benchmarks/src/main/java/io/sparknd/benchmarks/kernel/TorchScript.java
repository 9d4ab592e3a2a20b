/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A TorchScript module in the archive format of {@code torch.jit.save}. It calls PyTorch's in-place
 * and {@code out=} operators, which DJL does not expose.
 */
final class TorchScript {
  private static final String FORMAT_VERSION = "3\n";

  /** Pickle protocol 2 of a module instance without attributes. */
  private static final byte[] MODULE =
      pickle("c__torch__\nKernels\n)\u0081}X\u0008\0\0\0training\u0089sb");

  private static final byte[] NO_CONSTANTS = pickle(")");

  private static final String CODE =
      """
      class Kernels(Module):
        __parameters__ = []
        __buffers__ = []
        training : bool
        def gather(self: __torch__.Kernels, x: Tensor, i: Tensor, out: Tensor) -> Tensor:
          return torch.index_select(x, 0, i, out=out)
        def gather_new(self: __torch__.Kernels, x: Tensor, i: Tensor) -> Tensor:
          return torch.index_select(x, 0, i)
        def update1(self: __torch__.Kernels, x: Tensor, i: Tensor, u: Tensor) -> Tensor:
          return torch.index_put_(x, [i], u)
        def update2(self: __torch__.Kernels, x: Tensor, i: Tensor, j: Tensor, u: Tensor) -> Tensor:
          return torch.index_put_(x, [i, j], u)
        def add1(self: __torch__.Kernels, x: Tensor, i: Tensor, u: Tensor) -> Tensor:
          return torch.index_add_(x, 0, i, u)
        def add2(self: __torch__.Kernels, x: Tensor, i: Tensor, j: Tensor, u: Tensor) -> Tensor:
          return torch.index_put_(x, [i, j], u, True)
        def max1(self: __torch__.Kernels, x: Tensor, i: Tensor, u: Tensor) -> Tensor:
          return torch.scatter_reduce_(x, 0, i, u, "amax")
      """;

  private TorchScript() {}

  private static byte[] pickle(String body) {
    return ("\u0080\u0002" + body + ".").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the archive. */
  static InputStream archive() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, "data.pkl", MODULE);
      put(zip, "code/__torch__.py", CODE.getBytes(StandardCharsets.UTF_8));
      put(zip, "constants.pkl", NO_CONSTANTS);
      put(zip, "version", FORMAT_VERSION.getBytes(StandardCharsets.UTF_8));
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry("kernels/" + name));
    zip.write(content);
    zip.closeEntry();
  }
}
