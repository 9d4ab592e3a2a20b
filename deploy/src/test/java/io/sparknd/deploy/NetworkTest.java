/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network setup of {@code bin/cluster}. */
class NetworkTest {
  private static final Path SCRIPT = Path.of("src", "main", "bash", "network.sh");

  /** Starts the network as {@code bin/cluster} does and prints the addresses. */
  private static final String START =
      """
      network_start "$2" || { echo "failed: $network_reason"; exit 1; }
      network_say
      for host in "${network_hosts[@]}"; do network_address $host; done
      """;

  private static final String NO_ROOT = "id() { echo 1000; }\n";

  private static final List<String> LOOPBACK =
      List.of("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1");

  @TempDir private Path folder;

  @Test
  void isLoopbackWhereThereAreNoNamespaces() throws Exception {
    List<String> printed = run("auto", NO_ROOT + START);
    assertThat(printed)
        .startsWith(
            "network: loopback; namespaces unavailable: network namespaces require root",
            "127.0.0.1");
    assertThat(printed).endsWith(LOOPBACK.toArray(String[]::new));
  }

  @Test
  void isLoopbackWhereThatIsAsked() throws Exception {
    assertThat(run("loopback", START).get(0)).isEqualTo("network: loopback");
  }

  @Test
  void failsWhereWhatIsAskedCannotBe() throws Exception {
    assertThat(run("namespaces", NO_ROOT + START))
        .containsExactly("failed: network namespaces require root");
    assertThat(run("bridge", START))
        .containsExactly("failed: SPARKND_NETWORK is 'bridge'; use auto, namespaces or loopback");
  }

  @Test
  void leavesNothingWhereItFailsHalfway() throws Exception {
    String broken =
        """
        id() { echo 0; }
        nsenter() { false; }
        ip() {
          case "$*" in
            "link add"* | "netns add"*) echo "$*" >>made; touch bridge ;;
            "link show dev sparknd-"?????) [ -f bridge ] ;;
            "link delete sparknd-"?????) rm bridge ;;
            *"address add 10.213.201.3/24"*) echo refused; return 2 ;;
          esac
        }
        """;
    assertThat(run("auto", broken + START + "ls; cat made"))
        .startsWith("network: loopback; namespaces unavailable: refused")
        .doesNotContain("bridge")
        .anyMatch(line -> line.matches("netns add sparknd-.....-worker-1"));
  }

  @Test
  void takesASubnetThatNoRouteIsAbout() throws Exception {
    String routes =
        """
        ip() {
          echo "default via 192.0.2.1 dev eth0"
          echo "128.0.0.0/1 via 192.0.2.1 dev tun0"
          case "$*" in
            *"match 10."*) echo "10.0.0.0/8 via 192.0.2.1 dev tun0" ;;
            *"root 172.29.201.0/24") echo "172.29.201.64/26 dev docker0" ;;
          esac
        }
        free_net
        """;
    assertThat(run("auto", routes)).containsExactly("172.29.202");
  }

  @Test
  void namesAreOfTheDirectoryAndFit() throws Exception {
    String names = "for d in /a /a /b; do network_of $d; link_of driver; done";
    List<String> links = run("auto", names);
    assertThat(links).hasSize(3).allMatch(link -> link.matches("sparknd-[0-9a-f]{5}-4"));
    assertThat(links.get(0)).isEqualTo(links.get(1)).isNotEqualTo(links.get(2));
  }

  @Test
  void hostsHaveAddressesUntilTheEnd() throws Exception {
    String reason = run("auto", START + "network_end").get(0);
    assumeTrue(reason.contains("namespaces sparknd-"), reason);
    String all =
        """
        (network_exec worker-1 sleep 100) &
        ip netns exec "$network_bridge-worker-1" ip -4 -o address
        network_end
        wait $! || echo ended
        ip netns
        ip -o link
        network_say
        """;
    List<String> printed =
        run("namespaces", "trap network_end EXIT\n" + START + all + "echo $network_bridge");
    String bridge = printed.get(printed.size() - 1);
    assertThat(printed.get(0)).contains("namespaces " + bridge + "-* behind bridge " + bridge);
    String net = printed.get(1).replaceAll("2$", "");
    assertThat(printed.subList(1, 6)).containsExactly(net + 2, net + 3, net + 4, net + 5, net + 6);
    assertThat(printed).anyMatch(line -> line.contains("eth0 ") && line.contains(net + "3/24"));
    List<String> after = printed.subList(printed.indexOf("ended") + 1, printed.size() - 1);
    assertThat(after).contains("network: loopback").noneMatch(line -> line.contains(bridge));
  }

  private List<String> run(String mode, String commands) throws IOException, InterruptedException {
    String script = "set -euo pipefail; source \"$0\"; network_of \"$1\"\n" + commands;
    Process bash =
        new ProcessBuilder(
                "bash", "-c", script, SCRIPT.toAbsolutePath().toString(), folder.toString(), mode)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(bash.getInputStream().readAllBytes(), UTF_8);
    bash.waitFor();
    return printed.lines().toList();
  }
}
