/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.op.Reduction;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.reduction.CustomReduction;
import io.sparknd.table.reduction.VariableReduction;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the fold of a variable, and the state columns that it needs.
 *
 * @param variable name of the variable, for messages
 * @param type type of the variable's cells
 * @param order type of the variable that orders updates; null if there is none
 * @param kernel name of the kernel provider
 */
public record CellFolds(String variable, CellType type, @Nullable CellType order, String kernel) {

  /**
   * Returns the columns in which the state of a reduction is stored; their names are those of the
   * columns after {@code NAME__}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the type
   */
  public StructType state(VariableReduction reduction) {
    if (reduction.windows().isPresent()) {
      return new TileFolds(this).state(reduction);
    }
    boolean isOrdered = reduction.orderBy().isPresent();
    return switch (reduction.name()) {
      case "last", "first" ->
          new StructType().add(reduction.orderBy().get(), orderType(reduction), true);
      case "last_n" ->
          isOrdered
              ? new StructType()
                  .add(
                      reduction.orderBy().get(),
                      DataTypes.createArrayType(orderType(reduction), false),
                      true)
              : new StructType();
      case "mean", "hll_union", "theta_union" -> state(reduction, builtIn(reduction));
      default ->
          reduction.className().isPresent()
              ? state(reduction, custom(reduction))
              : new StructType();
    };
  }

  private StructType state(VariableReduction reduction, CustomReduction custom) {
    try {
      return custom.state(type.sql());
    } catch (RuntimeException e) {
      throw FeatureErrors.reductionOfType(
          variable, reduction.name(), typeName(), String.valueOf(e.getMessage()));
    }
  }

  private DataType orderType(VariableReduction reduction) {
    if (order == null) {
      throw FeatureErrors.noOrderVariable(variable, reduction.name(), reduction.orderBy().get());
    }
    if (!hasOrder(order)) {
      throw FeatureErrors.reductionOfType(
          variable, reduction.name(), order.sql().simpleString(), "its order has no order");
    }
    return order.sql();
  }

  private static boolean hasOrder(CellType type) {
    if (type instanceof CellType.Elements elements) {
      return elements.shape().rank() == 0
          && switch (elements.dtype()) {
            case INT32, INT64, FLOAT32, FLOAT64 -> true;
            default -> false;
          };
    }
    return type.sql() instanceof StringType
        || type.sql() instanceof DecimalType
        || type.sql().equals(DataTypes.BinaryType);
  }

  /**
   * Returns the fold of a reduction.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the type
   */
  public CellFold of(VariableReduction reduction) {
    state(reduction);
    if (reduction.windows().isPresent()) {
      return new WindowFold(tiles(reduction));
    }
    return switch (reduction.name()) {
      case "update" -> new ReplaceFold();
      case "add" -> sum(reduction);
      case "mul" -> kernel(reduction, Reduction.MUL);
      case "min" -> extreme(reduction, Reduction.MIN, -1);
      case "max" -> extreme(reduction, Reduction.MAX, 1);
      case "fmin" -> extreme(reduction, Reduction.FMIN, -1);
      case "fmax" -> extreme(reduction, Reduction.FMAX, 1);
      case "count" -> count(reduction);
      case "last" -> new OrderedFold(true);
      case "first" -> new OrderedFold(false);
      case "last_n" -> lastN(reduction);
      case "mean", "hll_union", "theta_union" -> custom(reduction, builtIn(reduction));
      default -> custom(reduction, custom(reduction));
    };
  }

  /** Returns how tiles are kept by a reduction in windows. */
  public TileFormat tiles(VariableReduction reduction) {
    return new TileFolds(this).format(reduction);
  }

  private CellFold sum(VariableReduction reduction) {
    boolean isObject =
        type instanceof CellType.Objects
            && (type.sql() instanceof DecimalType || type.sql() instanceof StringType);
    return isObject ? new ObjectSumFold(type.sql()) : kernel(reduction, Reduction.ADD);
  }

  private CellFold extreme(VariableReduction reduction, Reduction kernelReduction, int sign) {
    boolean isNumeric = type instanceof CellType.Elements elements && elements.isNumeric();
    return !isNumeric && hasOrder(type)
        ? new ExtremeFold(sign)
        : kernel(reduction, kernelReduction);
  }

  private CellFold kernel(VariableReduction reduction, Reduction kernelReduction) {
    if (type instanceof CellType.Elements elements
        && elements.isNumeric()
        && kernelReduction.isDefinedFor(elements.dtype())) {
      return new KernelFold(kernelReduction, kernel);
    }
    throw FeatureErrors.reductionOfType(
        variable, reduction.name(), typeName(), "it is not defined for this type");
  }

  private CellFold count(VariableReduction reduction) {
    if (!type.sql().equals(DataTypes.LongType)) {
      throw FeatureErrors.reductionOfType(
          variable, reduction.name(), typeName(), "a count is a bigint");
    }
    return new CountFold();
  }

  private CellFold lastN(VariableReduction reduction) {
    if (type instanceof CellType.Objects && type.sql() instanceof ArrayType array) {
      return new LastElementsFold(
          reduction.size().get(), array, reduction.orderBy().isPresent() ? order : null);
    }
    throw FeatureErrors.reductionOfType(
        variable, reduction.name(), typeName(), "it needs an array without a shape");
  }

  private CellFold custom(VariableReduction reduction, CustomReduction custom) {
    List<DataType> types =
        Arrays.stream(state(reduction, custom).fields()).map(StructField::dataType).toList();
    return new CustomFold(custom, type.sql(), types);
  }

  private static CustomReduction builtIn(VariableReduction reduction) {
    return switch (reduction.name()) {
      case "mean" -> new MeanReduction();
      case "hll_union" -> new HllUnionReduction();
      default -> new ThetaUnionReduction();
    };
  }

  private CustomReduction custom(VariableReduction reduction) {
    String name = reduction.className().get();
    try {
      // a property names the class: nothing of others is initialized
      return Class.forName(name, false, Thread.currentThread().getContextClassLoader())
          .asSubclass(CustomReduction.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw FeatureErrors.customReduction(variable, name, e);
    }
  }

  private String typeName() {
    return type instanceof CellType.Elements elements && elements.shape().rank() > 0
        ? elements.dtype() + elements.shape().toString()
        : type.sql().simpleString();
  }
}
