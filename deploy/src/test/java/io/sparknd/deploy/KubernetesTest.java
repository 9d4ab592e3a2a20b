/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.spark.internal.config.ConfigEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Kubernetes manifest has known fields only, its parts agree, and Spark knows its settings. No
 * cluster is asked.
 */
class KubernetesTest {
  private KubernetesManifest manifest;
  private PodSpec driver;

  @BeforeEach
  void read() throws IOException {
    manifest = KubernetesManifest.ours();
    driver =
        manifest.only(CronJob.class).getSpec().getJobTemplate().getSpec().getTemplate().getSpec();
  }

  private Container container() {
    assertThat(driver.getContainers()).hasSize(1);
    return driver.getContainers().get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "resources: [pods], resource: [pods]",
    "clusterIP: None, clusterIp: None",
    "restartPolicy: Never, restart: Never",
    "backoffLimit: 2, backoffLimit: two",
    "kind: CronJob, kind: CronTask",
    "mountPath: /tmp, path: /tmp",
    "port: 7078, port: block"
  })
  void unknownFieldsAndWrongTypesAreErrors(String from, String to) throws IOException {
    String text = Files.readString(KubernetesManifest.PATH);
    assertThat(text).contains(from);
    assertThatThrownBy(() -> KubernetesManifest.parse(text.replace(from, to)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void everythingIsInTheNamespace() {
    String namespace = manifest.only(Namespace.class).getMetadata().getName();
    assertThat(manifest.objects())
        .filteredOn(each -> !(each instanceof Namespace))
        .allSatisfy(each -> assertThat(each.getMetadata().getNamespace()).isEqualTo(namespace));
  }

  @Test
  void namesThatReferToOthersExist() {
    String account = name(ServiceAccount.class);
    assertThat(driver.getServiceAccountName()).isEqualTo(account);
    RoleBinding binding = manifest.only(RoleBinding.class);
    assertThat(binding.getRoleRef().getName()).isEqualTo(name(Role.class));
    assertThat(binding.getSubjects())
        .singleElement()
        .satisfies(subject -> assertThat(subject.getName()).isEqualTo(account));
    List<String> volumes = driver.getVolumes().stream().map(Volume::getName).toList();
    assertThat(container().getVolumeMounts()).extracting(VolumeMount::getName).isEqualTo(volumes);
    assertThat(driver.getVolumes().get(0).getConfigMap().getName())
        .isEqualTo(name(ConfigMap.class));
  }

  private String name(Class<? extends HasMetadata> type) {
    return manifest.only(type).getMetadata().getName();
  }

  /** Without one of these, Spark's driver cannot start, find or remove its executors. */
  @ParameterizedTest
  @ValueSource(strings = {"pods", "configmaps", "services", "persistentvolumeclaims"})
  void driverMayDoWhatSparkDoes(String resource) {
    PolicyRule rule =
        manifest.only(Role.class).getRules().stream()
            .filter(each -> each.getResources().contains(resource))
            .findFirst()
            .orElseThrow();
    assertThat(rule.getVerbs())
        .contains("create", "get", "list", "watch", "delete", "deletecollection");
    assertThat(rule.getApiGroups()).containsExactly("");
  }

  @Test
  void executorsFindTheDriver() throws IOException {
    Properties settings = manifest.settings();
    Service service = manifest.only(Service.class);
    Map<String, Integer> ports =
        service.getSpec().getPorts().stream()
            .collect(Collectors.toMap(ServicePort::getName, ServicePort::getPort));
    assertThat(settings.getProperty("spark.driver.port")).isEqualTo(ports.get("driver").toString());
    assertThat(settings.getProperty("spark.driver.blockManager.port"))
        .isEqualTo(ports.get("blocks").toString());
    assertThat(settings.getProperty("spark.driver.host"))
        .isEqualTo(name(Service.class) + "." + name(Namespace.class) + ".svc");
    assertThat(settings.getProperty("spark.kubernetes.namespace")).isEqualTo(name(Namespace.class));
    Map<String, String> labels =
        manifest
            .only(CronJob.class)
            .getSpec()
            .getJobTemplate()
            .getSpec()
            .getTemplate()
            .getMetadata()
            .getLabels();
    assertThat(labels).containsAllEntriesOf(service.getSpec().getSelector());
  }

  /** Driver and executors have one image, of the Spark that was tested. */
  @Test
  void imageIsThatOfTheDockerfile() throws IOException {
    String image = container().getImage();
    assertThat(manifest.settings().getProperty("spark.kubernetes.container.image"))
        .isEqualTo(image);
    String dockerfile = Files.readString(Path.of("kubernetes", "Dockerfile"));
    assertThat(dockerfile).contains("--tag " + image + " ");
    assertThat(image).isEqualTo("sparknd:" + System.getProperty("sparknd.version").split("-")[0]);
    String base = ComposeFile.ours().service("master").image();
    assertThat(dockerfile.lines()).contains("FROM " + base);
  }

  @Test
  void sparkKnowsTheSettings() throws Exception {
    Class.forName("org.apache.spark.deploy.k8s.Config$");
    Class.forName("org.apache.spark.internal.config.package$");
    Class.forName("org.apache.spark.internal.config.UI$");
    Class.forName("org.apache.spark.internal.config.Network$");
    assertThat(manifest.settings().stringPropertyNames())
        .filteredOn(name -> !name.equals("spark.master")) // known to spark-submit
        .filteredOn(name -> !name.startsWith("spark.sql.catalog."))
        .filteredOn(name -> !name.startsWith("spark.metrics.conf."))
        .allSatisfy(name -> assertThat(ConfigEntry.findEntry(name)).as(name).isNotNull());
  }

  /** In Iceberg's own catalog, INSERT and streams append rows without their reductions. */
  @Test
  void insertsIntoTheCatalogScatter() throws IOException {
    Properties settings = manifest.settings();
    assertThat(settings.getProperty("spark.sql.catalog.lake"))
        .isEqualTo("io.sparknd.table.TensorCatalog");
    assertThat(settings.getProperty("spark.sql.catalog.lake.cache-enabled")).isEqualTo("false");
  }

  /** Ports of the driver are open to all pods of the cluster. */
  @Test
  void onlyTheJobsExecutorsSpeakToItsDriver() throws IOException {
    Properties settings = manifest.settings();
    assertThat(settings.getProperty("spark.authenticate")).isEqualTo("true");
    assertThat(settings.getProperty("spark.network.crypto.enabled")).isEqualTo("true");
    assertThat(settings.getProperty("spark.ui.killEnabled")).isEqualTo("false");
  }

  /** The command line turns off the page of the driver, which has the metrics. */
  @Test
  void prometheusFindsThePageOfTheDriver() throws IOException {
    assertThat(manifest.settings().getProperty("spark.ui.enabled")).isEqualTo("true");
    ServicePort pages =
        manifest.only(Service.class).getSpec().getPorts().stream()
            .filter(port -> port.getName().equals("pages"))
            .findFirst()
            .orElseThrow();
    String host = manifest.settings().getProperty("spark.driver.host");
    assertThat(Files.readString(Path.of("monitoring", "prometheus.yml")))
        .contains("targets: [\"" + host + ":" + pages.getPort() + "\"]");
  }

  /** No page is there when a nightly job has failed: kube-state-metrics tells of it. */
  @Test
  void alertsAreAboutTheNightlyJob() throws IOException {
    String alerts = Files.readString(Path.of("monitoring", "alerts.yml"));
    String namespace = "namespace=\"" + name(Namespace.class) + "\"";
    String job = name(CronJob.class);
    assertThat(alerts)
        .contains("kube_job_failed{" + namespace + ", job_name=~\"" + job + "-.*\"")
        .contains(
            "kube_cronjob_status_last_successful_time{" + namespace + ", cronjob=\"" + job + "\"}");
  }

  @Test
  void commandIsOneOfTheTool() {
    assertThat(container().getCommand()).containsExactly("/opt/spark/bin/spark-submit");
    List<String> arguments = container().getArgs();
    String mount = container().getVolumeMounts().get(0).getMountPath();
    Map<String, String> files = manifest.only(ConfigMap.class).getData();
    assertThat(arguments)
        .filteredOn(argument -> argument.startsWith("/"))
        .allSatisfy(
            path -> {
              assertThat(path).startsWith(mount + "/");
              assertThat(files).containsKey(path.substring(mount.length() + 1));
            });
    assertThat(arguments)
        .containsSubsequence("--class", "io.sparknd.cli.Main", "spark-internal", "sql", "-f");
  }
}
