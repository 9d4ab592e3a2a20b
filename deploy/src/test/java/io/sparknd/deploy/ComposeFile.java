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
 * A Compose file as Compose reads it, with anchors and merges followed.
 *
 * @param content by the names of YAML
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

  /** By name. */
  Map<String, Service> services() {
    Map<String, Service> services = new TreeMap<>();
    map(content.get("services"))
        .forEach((name, each) -> services.put(name, new Service(map(each))));
    return services;
  }

  Service service(String name) {
    return services().get(name);
  }

  /** Names of the volumes that it declares. */
  List<String> volumes() {
    return List.copyOf(map(content.get("volumes")).keySet());
  }

  /** One of {@code services}, by the names of YAML. */
  record Service(Map<String, Object> content) {
    String image() {
      return (String) content.get("image");
    }

    /** What Compose asks it for its health with; null if with nothing. */
    String healthTest() {
      return (String) map(content.get("healthcheck")).get("test");
    }

    /** For how long no failure of its health check counts. */
    int startSeconds() {
      Object period = map(content.get("healthcheck")).getOrDefault("start_period", "0s");
      return Integer.parseInt(period.toString().replaceAll("s$", ""));
    }

    String command() {
      return content.getOrDefault("command", "").toString();
    }

    /** The names of the services that must be there before, with the state they must be in. */
    Map<String, Object> dependencies() {
      Map<String, Object> states = new TreeMap<>();
      map(content.get("depends_on"))
          .forEach((name, how) -> states.put(name, map(how).get("condition")));
      return states;
    }

    Map<String, Object> environment() {
      return map(content.get("environment"));
    }

    /** Each as {@code NAME:PATH}, or as a map. */
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

  @SuppressWarnings("unchecked") // YAML's maps have strings for keys here
  static Map<String, Object> map(Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }
}
