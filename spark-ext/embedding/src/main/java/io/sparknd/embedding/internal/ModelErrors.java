/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal;

import static io.sparknd.tensor.ErrorCondition.BAD_GRADIENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.INVALID_SAVED_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.ROW_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.failedState;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.shape;

import io.sparknd.tensor.ErrorFactory;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;

/** Creates the errors of models of several tables and dense parameters. */
public final class ModelErrors {
  private ModelErrors() {}

  /** Adds the table to an error of an id. {@code label} is a noun such as "table 'users'". */
  public static SparkNdException idInModel(String label, SparkNdException error) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("IN_MODEL"),
        "<label> of the model: <problem>",
        label,
        ErrorFactory.reason(error));
  }

  /** Adds the table to an error of a number. {@code label} is a noun such as "table 'users'". */
  public static SparkNdException numberInModel(String label, SparkNdException error) {
    return attribute(
        BAD_GRADIENT.sub("IN_MODEL"),
        "<label> of the model: <problem>",
        label,
        ErrorFactory.reason(error));
  }

  public static SparkNdException badParameterGradient(long step, int shard, String name) {
    return attribute(
        BAD_GRADIENT.sub("PARAMETER"),
        "the gradient of parameter '<name>' in step <step>, shard <shard>, is NaN or infinite: lower"
            + " the learning rate or clip gradients",
        name,
        step,
        shard);
  }

  public static SparkNdException lossShape(Object shape) {
    return attribute(
        INVALID_EMBEDDING.sub("LOSS_SHAPE"),
        "the loss of the model has shape <shape>; it must be a scalar of float32: sum the losses of"
            + " the examples",
        shape);
  }

  public static SparkNdException blockState(String name) {
    return attribute(
        INVALID_EMBEDDING.sub("BLOCK_STATE"),
        "parameter '<name>' has no gradient: a block changes it in training, such as means of batch"
            + " normalization, and a step keeps no state of a block; use layer normalization",
        name);
  }

  public static SparkNdException noTorch(Throwable cause) {
    return failedState(
        cause,
        INVALID_EMBEDDING.sub("NO_TORCH"),
        "PyTorch's engine cannot be loaded: put ai.djl.pytorch:pytorch-native-cpu of this platform,"
            + " such as with classifier linux-x86_64, on the class path of driver and executors;"
            + " nothing is downloaded at run time");
  }

  public static SparkNdException badModelName(String name) {
    return attribute(
        INVALID_EMBEDDING.sub("MODEL_NAME"),
        "a model has a table or a parameter '<name>': names have letters, digits, '_', '-' and '.',"
            + " and begin with a letter or a digit, since saved models have directories of them",
        name);
  }

  /** {@code kind} is "table" or "parameter". */
  public static SparkNdException nameTaken(String kind, String name) {
    return attribute(
        INVALID_EMBEDDING.sub("NAME_TAKEN"),
        "the model has a <kind> '<name>' already: use another name",
        kind,
        name);
  }

  /** {@code kind} is "table" or "parameter". */
  public static SparkNdException noSuchName(String kind, String name, Object names) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_SUCH_NAME"),
        "the model has no <kind> '<name>'; it has <names>",
        kind,
        name,
        names);
  }

  public static SparkNdException emptyModel() {
    return attribute(
        INVALID_EMBEDDING.sub("EMPTY_MODEL"),
        "a model needs at least one table or parameter: call withTable or withDense");
  }

  public static SparkNdException parameterShape(String name, Shape shape) {
    return attribute(
        INVALID_EMBEDDING.sub("PARAMETER_SHAPE"),
        "parameter '<name>' has shape <shape>; parameters have at least one element, and all of a model"
            + " have at most 2^31 - 512, each rounded up to a multiple of 256",
        name,
        shape);
  }

  public static SparkNdException parameterElements(String name, Shape shape, int elements) {
    return attribute(
        INVALID_EMBEDDING.sub("PARAMETER_ELEMENTS"),
        "parameter '<name>' of shape <shape> has <elements> elements",
        name,
        shape,
        elements);
  }

  public static SparkNdException denseOptimizer(Object optimizer) {
    return attribute(
        INVALID_EMBEDDING.sub("DENSE_OPTIMIZER"),
        "<optimizer> computes something of each row, and rows of dense parameters are arbitrary"
            + " parts of them: use an optimizer that updates each element by itself, and clip by"
            + " value",
        optimizer);
  }

  public static SparkNdException modelPartitions(Object partitions) {
    return attribute(
        INVALID_EMBEDDING.sub("MODEL_PARTITIONS"),
        "tables of the model have <partitions> partitions; all tables of a model need the same"
            + " number: repartition some of them, or set it once with ModelSpec.withPartitions",
        partitions);
  }

  public static SparkNdException modelSteps(String name, long steps, long modelSteps) {
    return attribute(
        INVALID_EMBEDDING.sub("MODEL_STEPS"),
        "table '<name>' has <steps> steps, and the model <modelSteps>: optimizers and mini-batches of"
            + " a model count the same steps",
        name,
        steps,
        modelSteps);
  }

  public static SparkNdException otherDefinition(String name, Object given, Object own) {
    return attribute(
        INVALID_EMBEDDING.sub("OTHER_DEFINITION"),
        "'<name>' is <given>, and the model has <own>: only optimizers and partitions may differ",
        name,
        given,
        own);
  }

  public static SparkNdException notASavedModel(String directory, IOException cause) {
    return failedFile(
        cause,
        INVALID_SAVED_EMBEDDING.sub("NOT_A_SAVED_MODEL"),
        "<directory> is not a model that EmbeddingModel.save wrote completely: model.json cannot be read: <reason>",
        directory,
        reason(cause));
  }
}
