/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one check found. As JSON, what does not apply is null.
 *
 * @param name what was looked for
 * @param found version and place; null if it is missing
 * @param problem what is wrong or missing
 * @param cost what does not work therefore
 * @param remedy how to get it
 */
record DoctorFinding(
    String name,
    Need need,
    State state,
    @Nullable String found,
    @Nullable String problem,
    @Nullable String cost,
    @Nullable String remedy) {

  /** Whether commands need it. */
  enum Need {
    REQUIRED,
    OPTIONAL;

    /** Returns the name in JSON. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether it can be used. */
  enum State {
    OK,
    /** Found, and cannot be used, or not for everything. */
    UNUSABLE,
    MISSING;

    /** Returns the name in JSON. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static DoctorFinding ok(String name, Need need, String found) {
    return new DoctorFinding(name, need, State.OK, found, null, null, null);
  }

  static DoctorFinding missing(String name, Need need, String problem, String cost, String remedy) {
    return new DoctorFinding(name, need, State.MISSING, null, problem, cost, remedy);
  }

  /** Returns this finding as one of something that cannot be used. */
  DoctorFinding unusable(String why, String costs, String howToGet) {
    return new DoctorFinding(name, need, State.UNUSABLE, found, why, costs, howToGet);
  }

  boolean preventsCommands() {
    return need == Need.REQUIRED && state != State.OK;
  }
}
