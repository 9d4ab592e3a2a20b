/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Tests sets of versions beside sets of bits. */
class VersionSetPropertyTest {
  private static final int VERSIONS = 40;

  /** Returns a few runs of versions. */
  private static BitSet some(Random random) {
    BitSet bits = new BitSet();
    for (int run = random.nextInt(5); run > 0; run--) {
      int from = random.nextInt(VERSIONS);
      bits.set(from, from + random.nextInt(VERSIONS - from) / 2 + 1);
    }
    return bits;
  }

  private static VersionSet of(BitSet bits) {
    VersionSet.Builder versions = new VersionSet.Builder();
    bits.stream().forEach(versions::add);
    return versions.build();
  }

  private static void requireSame(VersionSet set, BitSet bits) {
    for (int version = 0; version <= 2 * VERSIONS; version++) {
      assertThat(set.contains(version)).as("%s in %s", version, bits).isEqualTo(bits.get(version));
    }
    assertThat(set.isEmpty()).isEqualTo(bits.isEmpty());
    if (!bits.isEmpty()) {
      assertThat(set.last()).isEqualTo(bits.length() - 1);
    }
  }

  @Property
  void operationsAreThoseOfBits(@ForAll long seed) {
    Random random = new Random(seed);
    BitSet first = some(random);
    BitSet second = some(random);
    requireSame(of(first), first);
    assertThat(of(first).intersects(second)).isEqualTo(first.intersects(second));
    BitSet either = (BitSet) first.clone();
    either.or(second);
    requireSame(of(first).or(of(second)), either);
    BitSet both = (BitSet) first.clone();
    both.and(second);
    requireSame(of(first).and(of(second)), both);
  }

  /** A history of so many commits has as many sets: of bits, they would have 12 KB each. */
  @Example
  void aSetOfManyVersionsIsSmall() throws IOException {
    BitSet bits = new BitSet();
    bits.set(10, 50_000);
    VersionSet first = of(bits);
    bits.clear();
    bits.set(50_000, 100_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(first.or(of(bits)));
    }
    assertThat(out.size()).isLessThan(200);
  }
}
