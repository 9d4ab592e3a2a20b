/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The objects of {@code deploy/kubernetes/sparknd.yaml}, parsed by fabric8's model.
 *
 * @param objects in the order of the file
 */
record KubernetesManifest(List<HasMetadata> objects) {
  static final Path PATH = Path.of("kubernetes", "sparknd.yaml");

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "v1 Namespace", Namespace.class,
          "v1 ServiceAccount", ServiceAccount.class,
          "rbac.authorization.k8s.io/v1 Role", Role.class,
          "rbac.authorization.k8s.io/v1 RoleBinding", RoleBinding.class,
          "v1 Service", Service.class,
          "v1 ConfigMap", ConfigMap.class,
          "batch/v1 CronJob", CronJob.class);

  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .annotationIntrospector(new WithoutAnySetters())
          .build();

  /** The model keeps unknown fields as additional properties, where they would pass unnoticed. */
  private static final class WithoutAnySetters extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }
  }

  static KubernetesManifest ours() throws IOException {
    return parse(Files.readString(PATH));
  }

  /** Parses objects; an unknown kind, field or type of a value is an error. */
  static KubernetesManifest parse(String text) throws IOException {
    List<HasMetadata> objects = new ArrayList<>();
    for (Object each : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
      JsonNode node = STRICT.valueToTree(each);
      String kind = node.path("apiVersion").asText() + " " + node.path("kind").asText();
      Class<? extends HasMetadata> type = KINDS.get(kind);
      if (type == null) {
        throw new IOException("unexpected kind: " + kind);
      }
      objects.add(STRICT.treeToValue(node, type));
    }
    return new KubernetesManifest(List.copyOf(objects));
  }

  /** Returns the only object of a type. */
  <T extends HasMetadata> T only(Class<T> type) {
    List<T> found = objects.stream().filter(type::isInstance).map(type::cast).toList();
    if (found.size() != 1) {
      throw new IllegalStateException(found.size() + " of " + type.getSimpleName());
    }
    return found.get(0);
  }

  /** Returns the settings of Spark in the config map. */
  Properties settings() throws IOException {
    Properties settings = new Properties();
    settings.load(new StringReader(only(ConfigMap.class).getData().get("spark-defaults.conf")));
    return settings;
  }
}
