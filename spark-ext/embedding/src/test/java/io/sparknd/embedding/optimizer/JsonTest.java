/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sparknd.tensor.SparkNdException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests JSON of optimizers and initializers, in the manifest of a saved table and on the way to
 * tasks.
 */
class JsonTest {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  record Manifest(Optimizer optimizer, Initializer initializer) {}

  static Stream<Optimizer> optimizers() {
    Optimizer decaying =
        Optimizer.sgd(1)
            .withSchedule(LearningRateSchedule.exponentialDecay(0.1, Long.MAX_VALUE, 0.5));
    Optimizer byEpoch =
        Optimizer.sgd(1)
            .withSchedule(
                LearningRateSchedule.perEpoch(7, LearningRateSchedule.inverseTimeDecay(1, 2, 3)));
    Optimizer later =
        Optimizer.sgd(1)
            .withSchedule(
                LearningRateSchedule.startingAt(5, LearningRateSchedule.cosineDecay(1, 2, 0)));
    Optimizer custom =
        Optimizer.custom(
            0.1,
            new SavedRule(
                "own",
                List.of(
                    OptimizerSlot.element("sums", 0.1).inFloat32(),
                    OptimizerSlot.row("count", 0))));
    return Stream.concat(
        Stream.of(decaying, byEpoch, later, custom),
        OptimizerCase.all().map(OptimizerCase::optimizer));
  }

  static Stream<Initializer> initializers() {
    return Stream.of(
        Initializer.zeros(),
        Initializer.constant(0.1),
        Initializer.uniform(-0.05f, 0.05f, Long.MIN_VALUE),
        Initializer.normal(0.1, 1e-3, Long.MAX_VALUE),
        Initializer.truncatedNormal(-0.1, 0.2, 7),
        new Initializer.ByRow(
            List.of(
                new Initializer.ByRow.Range(0, Initializer.zeros()),
                new Initializer.ByRow.Range(1L << 40, Initializer.uniform(-1, 1, 3)))));
  }

  @ParameterizedTest
  @MethodSource("optimizers")
  void optimizersSurviveARoundTrip(Optimizer optimizer) throws Exception {
    assertComesBack(new Manifest(optimizer, Initializer.zeros()));
    assertThat(throughStream(optimizer)).isEqualTo(optimizer);
  }

  @ParameterizedTest
  @MethodSource("initializers")
  void initializersSurviveARoundTrip(Initializer initializer) throws Exception {
    assertComesBack(new Manifest(Optimizer.sgd(1), initializer));
    assertThat(throughStream(initializer)).isEqualTo(initializer);
  }

  /** The test cases must cover every optimizer and initializer. */
  @Test
  void testCasesCoverAllKinds() {
    assertAllTried(Optimizer.class, optimizers());
    assertAllTried(Initializer.class, initializers());
    assertAllTried(Clip.class, optimizers().map(optimizer -> optimizer.descent().clip()));
    assertAllTried(
        LearningRateSchedule.class, optimizers().map(optimizer -> optimizer.descent().schedule()));
  }

  private static void assertAllTried(Class<?> type, Stream<?> tried) {
    assertThat(tried.map(Object::getClass).distinct().map(Class::getName))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(type.getPermittedSubclasses()).map(Class::getName).toList());
  }

  @Property
  void numbersSurviveARoundTripExactly(
      @ForAll long bits, @ForAll @IntRange(min = -100, max = 100) int exponent, @ForAll long seed)
      throws Exception {
    double number = Math.scalb(1 + (bits >>> 12) * 0x1p-52, exponent);
    assertComesBack(
        new Manifest(
            Optimizer.sgd(number).withL2(number).withClip(Clip.byNorm(number)),
            Initializer.normal(number, number, seed)));
  }

  private static void assertComesBack(Manifest manifest) throws JsonProcessingException {
    assertThat(JSON.readValue(JSON.writeValueAsString(manifest), Manifest.class))
        .isEqualTo(manifest);
  }

  private static Object throughStream(Object value) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  @Test
  void jsonOfAdamIsAsDocumented() throws Exception {
    assertThat(JSON.writerFor(Optimizer.class).writeValueAsString(Optimizer.adam(0.001)))
        .isEqualTo(
            "{'kind':'adam','descent':{'schedule':{'kind':'constant','rate':0.001},'l2':0.0,"
                    .replace('\'', '"')
                + "'clip':{'kind':'none'}},'beta1':0.9,'beta2':0.999,'epsilon':1.0E-7}"
                    .replace('\'', '"'));
  }

  /** JSON of a rule must not show, nor name, the class of an application. */
  @Test
  void jsonOfARuleHasItsNameAndSlots() throws Exception {
    String json =
        JSON.writerFor(Optimizer.class)
            .writeValueAsString(Optimizer.custom(0.5, new Halving("secret")));
    assertThat(json)
        .contains(
            "\"kind\":\"custom\"", "\"rule\":{\"name\":\"halving\",\"slots\":[{\"name\":\"c\"")
        .doesNotContain("secret", "Halving");
    Optimizer saved = JSON.readValue(json, Optimizer.class);
    assertThat(saved.slots()).isEqualTo(new Halving("").slots());
    assertThatThrownBy(() -> saved.update(0, 1))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("the optimizer rule 'halving' of an application");
  }

  /** A rule with a field that is none of its slots. */
  record Halving(String secret) implements OptimizerRule {
    @Override
    public String name() {
      return "halving";
    }

    @Override
    public List<OptimizerSlot> slots() {
      return List.of(OptimizerSlot.element("c", 0));
    }

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> weights[0] /= 2;
    }
  }

  @Test
  void malformedOptimizersAreRejected() {
    String sgd = "{'kind':'sgd','descent':{'schedule':{'kind':'constant','rate':1},%s}}";
    assertRefused("{'kind':'tiger'}", "tiger");
    assertRefused("{'kind':'io.sparknd.embedding.optimizer.Sgd'}", "Sgd");
    assertRefused("{}", "kind");
    assertRefused("{'kind':'sgd'}", "descent");
    assertRefused(String.format(sgd, "'clip':{'kind':'none'}"), "l2");
    assertRefused(String.format(sgd, "'l2':0"), "clip");
    assertRefused(String.format(sgd, "'l2':0,'clip':null"), "clip");
    assertRefused(String.format(sgd, "'l2':0,'clip':{'kind':'none'},'more':1"), "more");
    assertRefused(String.format(sgd, "'l2':0,'clip':{'kind':'byMood'}"), "byMood");
    assertThatThrownBy(() -> read(String.format(sgd, "'l2':-1,'clip':{'kind':'none'}")))
        .isInstanceOf(JsonProcessingException.class)
        .hasRootCauseInstanceOf(SparkNdException.class)
        .hasMessageContaining("l2 is -1.0");
  }

  private static void assertRefused(String text, String named) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(JsonProcessingException.class)
        .hasMessageContaining(named);
  }

  private static Optimizer read(String text) throws JsonProcessingException {
    return JSON.readValue(text.replace('\'', '"'), Optimizer.class);
  }
}
