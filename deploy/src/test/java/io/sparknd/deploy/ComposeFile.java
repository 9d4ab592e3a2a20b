/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A parsed Compose file with anchors and merges resolved.
 *
 * @param content the YAML mapping
 */
record ComposeFile(Map<String, Object> content) {
  static final Path PATH = Path.of("..", "docker-compose.yml");

  static ComposeFile ours() {
    try {
      return parse(Files.readString(PATH));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ComposeFile parse(String text) {
    return new ComposeFile(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
  }

  /** Returns the services by name. */
  Map<String, Service> services() {
    Map<String, Service> services = new TreeMap<>();
    map(content.get("services"))
        .forEach((name, each) -> services.put(name, new Service(map(each))));
    return services;
  }

  Service service(String name) {
    return services().get(name);
  }

  /** Returns the names of the declared volumes. */
  List<String> volumes() {
    return List.copyOf(map(content.get("volumes")).keySet());
  }

  /** A service as a YAML mapping. */
  record Service(Map<String, Object> content) {
    String image() {
      return (String) content.get("image");
    }

    /** Returns the health check; null if there is none. */
    String healthTest() {
      return (String) map(content.get("healthcheck")).get("test");
    }

    /** Returns the start period of the health check, in which failures do not count. */
    int startSeconds() {
      Object period = map(content.get("healthcheck")).getOrDefault("start_period", "0s");
      return Integer.parseInt(period.toString().replaceAll("s$", ""));
    }

    String command() {
      return content.getOrDefault("command", "").toString();
    }

    /** Returns the services that must start first, with the required condition. */
    Map<String, Object> dependencies() {
      Map<String, Object> states = new TreeMap<>();
      map(content.get("depends_on"))
          .forEach((name, how) -> states.put(name, map(how).get("condition")));
      return states;
    }

    Map<String, Object> environment() {
      return map(content.get("environment"));
    }

    /** Returns the volumes, each as {@code NAME:PATH} or as a mapping. */
    List<?> volumes() {
      return (List<?>) content.getOrDefault("volumes", List.of());
    }

    List<String> ports() {
      return strings("ports");
    }

    List<String> profiles() {
      return strings("profiles");
    }

    List<String> entrypoint() {
      return strings("entrypoint");
    }

    private List<String> strings(String key) {
      return ((List<?>) content.getOrDefault(key, List.of()))
          .stream().map(String.class::cast).toList();
    }
  }

  @SuppressWarnings("unchecked") // the YAML mappings have string keys
  static Map<String, Object> map(Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }
}
