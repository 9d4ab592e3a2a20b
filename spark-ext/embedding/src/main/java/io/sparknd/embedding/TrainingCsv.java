/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.evaluation.MetricValue;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The CSV file of a training, by steps. */
final class TrainingCsv {
  private TrainingCsv() {}

  static String of(List<TrainedStep> steps, List<ValidatedStep> validations) {
    List<String> names =
        validations.stream()
            .flatMap(validation -> validation.metrics().stream())
            .map(MetricValue::name)
            .distinct()
            .toList();
    Map<Long, TrainedStep> trained = new TreeMap<>();
    steps.forEach(step -> trained.put(step.step(), step));
    Map<Long, ValidatedStep> validated = new TreeMap<>();
    validations.forEach(validation -> validated.put(validation.step(), validation));
    SortedSet<Long> numbers = new TreeSet<>(trained.keySet());
    numbers.addAll(validated.keySet());
    StringBuilder csv = new StringBuilder("step,loss,examples,seconds");
    names.forEach(name -> csv.append(',').append(name));
    csv.append('\n');
    for (long number : numbers) {
      csv.append(number).append(',').append(loss(trained.get(number)));
      names.forEach(name -> csv.append(',').append(value(name, validated.get(number))));
      csv.append('\n');
    }
    return csv.toString();
  }

  private static String loss(@Nullable TrainedStep step) {
    return step == null
        ? ",,"
        : step.loss().mean() + "," + step.loss().examples() + "," + step.seconds();
  }

  private static String value(String name, @Nullable ValidatedStep validation) {
    return validation == null
        ? ""
        : validation.metrics().stream()
            .filter(metric -> metric.name().equals(name))
            .map(metric -> String.valueOf(metric.value()))
            .collect(Collectors.joining());
  }
}
