/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;

/**
 * Prints what {@code --json} asks for: one JSON object on one line, with names such as {@code
 * data_offset}.
 */
public final class JsonOutput {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING);

  private JsonOutput() {}

  /**
   * Prints {@code value}.
   *
   * @param value a record of values that JSON has
   */
  public static void print(Record value, PrintWriter out) {
    try {
      out.println(JSON.writeValueAsString(value));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
