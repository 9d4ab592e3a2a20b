/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.io.IOException;
import java.io.InputStream;

/**
 * A TorchScript module that calls PyTorch's in-place and {@code out=} operators, which DJL does not
 * expose. The number at the end of a method is the depth of the index tuples.
 */
final class TorchScript {
  private static final String HEAD =
      """
      class Kernels(Module):
        __parameters__ = []
        __buffers__ = []
        training : bool
        def gather1(self: __torch__.Kernels, x: Tensor, i: Tensor, out: Tensor) -> Tensor:
          return torch.index_select(x, 0, i, out=out)
        def gather_new1(self: __torch__.Kernels, x: Tensor, i: Tensor) -> Tensor:
          return torch.index_select(x, 0, i)
        def update1(self: __torch__.Kernels, x: Tensor, i: Tensor, u: Tensor) -> Tensor:
          return torch.index_put_(x, [i], u)
        def add1(self: __torch__.Kernels, x: Tensor, i: Tensor, u: Tensor) -> Tensor:
          return torch.index_add_(x, 0, i, u)
        def bfloat16(self: __torch__.Kernels, x: Tensor) -> Tensor:
          return torch.to(x, 15, False, True, None)
        def float32(self: __torch__.Kernels, x: Tensor) -> Tensor:
          return torch.to(x, 6, False, True, None)
        def max1(self: __torch__.Kernels, x: Tensor, i: Tensor, u: Tensor) -> Tensor:
          return torch.scatter_reduce_(x, 0, i, u, "amax")
      """;

  private TorchScript() {}

  /** Returns the archive. */
  static InputStream archive() throws IOException {
    String code =
        HEAD
            + ofTuples(2, "i: Tensor, j: Tensor", "i, j")
            + ofTuples(3, "i: Tensor, j: Tensor, k: Tensor", "i, j, k")
            + ofTuples(4, "i: Tensor, j: Tensor, k: Tensor, l: Tensor", "i, j, k, l");
    return TorchArchive.of("Kernels", code);
  }

  /**
   * Returns the methods for tuples.
   *
   * @param parameters a parameter with its type for each index
   * @param names the names of these parameters
   */
  private static String ofTuples(int depth, String parameters, String names) {
    return String.format(
        """
          def gather%1$d(self: __torch__.Kernels, x: Tensor, %2$s, out: Tensor) -> Tensor:
            return torch.index(x, annotate(List[Optional[Tensor]], [%3$s]), out=out)
          def update%1$d(self: __torch__.Kernels, x: Tensor, %2$s, u: Tensor) -> Tensor:
            return torch.index_put_(x, [%3$s], u)
          def add%1$d(self: __torch__.Kernels, x: Tensor, %2$s, u: Tensor) -> Tensor:
            return torch.index_put_(x, [%3$s], u, True)
        """,
        depth, parameters, names);
  }
}
