/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.kernel.TorchArchive;
import java.io.IOException;
import java.io.InputStream;

/**
 * Training steps of a factorization machine in TorchScript. {@code forward} and the methods {@code
 * sparse_} do what {@code nn.Embedding(sparse=True)} does with {@code torch.optim.Adagrad} and
 * {@code torch.optim.SparseAdam}: autograd gives a sparse gradient, which is coalesced. Methods
 * {@code fused_} compute the gradient by hand, sum it by distinct row, and update these rows in
 * place.
 *
 * <p>Weights {@code w} and optimizer states {@code a} and {@code b} are {@code [rows, dim]},
 * features {@code i} are {@code [examples, fields]}, and labels {@code y} are {@code [examples]}.
 */
final class TorchFmScript {
  private static final String CODE =
      """
      class FmSteps(Module):
        __parameters__ = []
        __buffers__ = []
        training : bool
        def forward(self: __torch__.FmSteps, w: Tensor, i: Tensor, y: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
          torch.set_grad_enabled(True)
          leaf = torch.requires_grad_(torch.detach(w), True)
          e = torch.embedding(leaf, i, -1, False, True)
          s = torch.sum(e, [1])
          q = torch.sum(torch.mul(e, e), [1])
          pairs = torch.mul(torch.sub(torch.mul(s, s), q), 0.5)
          score = torch.add(torch.select(s, 1, 0), torch.sum(torch.slice(pairs, 1, 1), [1]))
          loss = torch.binary_cross_entropy_with_logits(score, y, None, None, 2)
          g = torch.coalesce(unchecked_cast(Tensor, torch.grad([loss], [leaf])[0]))
          return (torch._indices(g), torch._values(g), torch.detach(loss))
        def sparse_adagrad(self: __torch__.FmSteps, w: Tensor, a: Tensor, b: Tensor, at: Tensor, v: Tensor, rate: float, step: int) -> Tensor:
          size = torch.size(w)
          g = torch._coalesced_(torch.sparse_coo_tensor(at, v, size), True)
          _0 = torch.add_(a, torch.sparse_coo_tensor(at, torch.pow(v, 2), size))
          std = torch.add_(torch.sqrt_(torch._values(torch.sparse_mask(a, g))), 1e-10)
          _1 = torch.add_(w, torch.sparse_coo_tensor(at, torch.div(v, std), size), alpha=torch.neg(rate))
          return w
        def alpha(self: __torch__.FmSteps, rate: float, step: int) -> float:
          root = torch.pow(torch.sub(1., torch.pow(0.999, step)), 0.5)
          return torch.div(torch.mul(rate, root), torch.sub(1., torch.pow(0.9, step)))
        def sparse_adam(self: __torch__.FmSteps, w: Tensor, a: Tensor, b: Tensor, at: Tensor, v: Tensor, rate: float, step: int) -> Tensor:
          size = torch.size(w)
          g = torch._coalesced_(torch.sparse_coo_tensor(at, v, size), True)
          oldm = torch._values(torch.sparse_mask(a, g))
          m = torch.mul_(torch.sub(v, oldm), 0.1)
          _0 = torch.add_(a, torch.sparse_coo_tensor(at, m, size))
          oldv = torch._values(torch.sparse_mask(b, g))
          n = torch.mul_(torch.sub_(torch.pow(v, 2), oldv), 0.001)
          _1 = torch.add_(b, torch.sparse_coo_tensor(at, n, size))
          numer = torch.add_(m, oldm)
          denom = torch.add_(torch.sqrt_(torch.add_(n, oldv)), 1e-08)
          change = torch.mul(torch.div_(numer, denom), torch.neg((self).alpha(rate, step, )))
          _2 = torch.add_(w, torch.sparse_coo_tensor(at, change, size))
          return w
        def gradient(self: __torch__.FmSteps, w: Tensor, i: Tensor, y: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
          dim = torch.size(w, 1)
          e = torch.index_select(w, 0, torch.view(i, [-1]))
          e0 = torch.view(e, [torch.size(i, 0), torch.size(i, 1), dim])
          s = torch.sum(e0, [1])
          q = torch.sum(torch.mul(e0, e0), [1])
          pairs = torch.mul(torch.sub_(torch.mul(s, s), q), 0.5)
          score = torch.add(torch.select(s, 1, 0), torch.sum(torch.slice(pairs, 1, 1), [1]))
          loss = torch.binary_cross_entropy_with_logits(score, y, None, None, 2)
          slope = torch.sub_(torch.sigmoid(score), y)
          g = torch.mul_(torch.rsub(e0, torch.unsqueeze(s, 1)), torch.view(slope, [-1, 1, 1]))
          _0 = torch.copy_(torch.select(g, 2, 0), torch.unsqueeze(slope, 1))
          u, inv, = torch._unique(torch.view(i, [-1]), True, True)
          zeros = torch.zeros([torch.numel(u), dim])
          return (u, torch.index_add_(zeros, 0, inv, torch.view(g, [-1, dim])), loss)
        def fused_adagrad(self: __torch__.FmSteps, w: Tensor, a: Tensor, b: Tensor, i: Tensor, y: Tensor, rate: float, step: int) -> Tensor:
          u, v, loss, = (self).gradient(w, i, y, )
          sums = torch.addcmul_(torch.index_select(a, 0, u), v, v)
          _0 = torch.index_copy_(a, 0, u, sums)
          std = torch.add_(torch.sqrt_(sums), 1e-10)
          after = torch.addcdiv_(torch.index_select(w, 0, u), v, std, value=torch.neg(rate))
          _1 = torch.index_copy_(w, 0, u, after)
          return loss
        def fused_adam(self: __torch__.FmSteps, w: Tensor, a: Tensor, b: Tensor, i: Tensor, y: Tensor, rate: float, step: int) -> Tensor:
          u, v, loss, = (self).gradient(w, i, y, )
          m = torch.lerp_(torch.index_select(a, 0, u), v, 0.1)
          _0 = torch.index_copy_(a, 0, u, m)
          n = torch.addcmul_(torch.mul_(torch.index_select(b, 0, u), 0.999), v, v, value=0.001)
          _1 = torch.index_copy_(b, 0, u, n)
          std = torch.add_(torch.sqrt_(n), 1e-08)
          change = torch.neg((self).alpha(rate, step, ))
          after = torch.addcdiv_(torch.index_select(w, 0, u), m, std, value=change)
          _2 = torch.index_copy_(w, 0, u, after)
          return loss
      """;

  private TorchFmScript() {}

  /** Returns the archive of the module. */
  static InputStream archive() throws IOException {
    return TorchArchive.of("FmSteps", CODE);
  }
}
