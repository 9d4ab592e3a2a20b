/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.io.IOException;
import java.io.InputStream;

/**
 * A TorchScript module that calls PyTorch's in-place and {@code out=} operators, which DJL does not
 * expose.
 */
final class TorchScript {
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

  /** Returns the archive. */
  static InputStream archive() throws IOException {
    return TorchArchive.of("Kernels", CODE);
  }
}
