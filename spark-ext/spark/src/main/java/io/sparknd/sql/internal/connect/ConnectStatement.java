/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.connect;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.CallNames;
import io.sparknd.sql.internal.IncludeSelfArgument;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.plan.GatherArguments;
import io.sparknd.sql.internal.plan.TensorOptions;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The statement of one call, built argument by argument. */
final class ConnectStatement {
  private final String function;
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, Object> values = new HashMap<>();

  ConnectStatement(String function) {
    this.function = function;
  }

  /** Adds a table argument; those come first. */
  ConnectStatement table(Dataset<Row> rows) {
    String view = "sparknd_" + UUID.randomUUID().toString().replace('-', '_');
    rows.createOrReplaceTempView(view);
    arguments.add("TABLE(" + view + ")");
    return this;
  }

  ConnectStatement with(TensorOptions options) {
    options.shape().ifPresent(shape -> literal("shape", array(shape)));
    options.dtype().ifPresent(dtype -> with("dtype", dtype.toString()));
    options.indexColumns().ifPresent(names -> with("index_columns", names));
    options.valueColumn().ifPresent(name -> with("value_column", name));
    return options.orderBy().isEmpty() ? this : with("order_by", options.orderBy());
  }

  /**
   * Adds the arguments of a gather.
   *
   * @param dtype of the tensor; empty if the call does not name it
   */
  ConnectStatement with(GatherArguments gather, Optional<DType> dtype) {
    with(gather.how().indices(), dtype);
    if (gather.batchDims() != 0) {
      literal("batch_dims", String.valueOf(gather.batchDims()));
    }
    gather.found().ifPresent(column -> with("found", column));
    return gather.valueColumns().isEmpty() ? this : with("value_columns", gather.valueColumns());
  }

  ConnectStatement with(Scatter scatter) {
    with(scatter.indices(), Optional.empty()).with("duplicates", scatter.duplicates().toString());
    // without a fold, the last update replaces the element anyway
    boolean excluded =
        scatter.self() == IncludeSelf.EXCLUDED && scatter.reduction() != Reduction.NONE;
    return excluded ? literal(IncludeSelfArgument.NAME, "false") : this;
  }

  private ConnectStatement with(IndexPolicy policy, Optional<DType> dtype) {
    if (policy.bad() instanceof BadIndices.Fill fill) {
      if (fill.isOfDType() && dtype.isEmpty()) {
        throw SqlErrors.fillNeedsDType(fill.value().toString());
      }
      literal("fill", fill(dtype.map(fill::value).orElseGet(fill::value)));
    } else {
      with("bad_indices", policy.bad().toString());
    }
    return with("negative", CallNames.negative(policy.negative()));
  }

  private String fill(Object value) {
    return value instanceof Complex complex
        ? "struct(" + marker(complex.real()) + ", " + marker(complex.imaginary()) + ")"
        : marker(value instanceof BigInteger large ? new BigDecimal(large) : value);
  }

  /** Adds an argument that is a string. */
  ConnectStatement with(String argument, String value) {
    return literal(argument, marker(value));
  }

  private ConnectStatement with(String argument, List<String> names) {
    return literal(
        argument,
        names.stream().map(this::marker).collect(Collectors.joining(", ", "array(", ")")));
  }

  private ConnectStatement literal(String argument, String sql) {
    arguments.add(argument + " => " + sql);
    return this;
  }

  /**
   * Returns the marker of a value that is sent beside the statement, so that it needs no quotes.
   */
  private String marker(Object value) {
    String name = "p" + values.size();
    values.put(name, value);
    return ":" + name;
  }

  private static String array(Shape shape) {
    return Arrays.stream(shape.dims())
        .mapToObj(dim -> dim + "L")
        .collect(Collectors.joining(", ", "array(", ")"));
  }

  Dataset<Row> run(SparkSession session) {
    String call = function + "(" + String.join(", ", arguments) + ")";
    return session.sql("SELECT * FROM " + call, values);
  }
}
