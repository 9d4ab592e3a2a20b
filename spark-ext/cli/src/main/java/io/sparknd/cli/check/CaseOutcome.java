/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Supplier;

/** The outcome of a call on one engine. */
sealed interface CaseOutcome {
  record Result(Tensor tensor) implements CaseOutcome {
    boolean hasBytesOf(Result other) {
      return Arrays.equals(bytes(), other.bytes());
    }

    private byte[] bytes() {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Npy.write(tensor, out);
      return out.toByteArray();
    }
  }

  record Raised(Throwable error) implements CaseOutcome {}

  /** Runs {@code call} and returns its result or error. A {@link CaseException} propagates. */
  static CaseOutcome of(Supplier<Tensor> call) {
    try {
      return new Result(call.get());
    } catch (CaseException e) {
      throw e;
    } catch (RuntimeException | LinkageError | AssertionError | OutOfMemoryError e) {
      return new Raised(e);
    }
  }
}
