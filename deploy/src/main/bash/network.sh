# SPDX-License-Identifier: Apache-2.0
# Network setup of bin/cluster, which sources this file. Either all processes share the loopback
# interface, or each runs on a virtual host: a network namespace with its own address, behind a bridge
# that has the first address and no route to other networks. Names are derived from the cluster's
# directory, so they do not collide, and leftovers of a crash can be found without saved state.

network_hosts=(master worker-1 worker-2 history driver)
network_reason=

# DIRECTORY: sets the name prefix of the cluster in this directory. Link names have at most 15 characters.
network_of() {
  local sum
  sum=$(printf '%s' "$1" | cksum)
  printf -v network_bridge 'sparknd-%05x' $((${sum%% *} & 0xfffff))
}

has_link() {
  ip link show dev "$1" >/dev/null 2>&1
}

# whether the namespaces exist; false without ip
has_network() {
  has_link "$network_bridge"
}

# prints the first three bytes of all addresses
network_net() {
  ip -4 -o address show dev "$network_bridge" | sed -n 's|.* inet \([0-9.]*\)\.1/24 .*|\1|p'
}

# HOST: prints its address
network_address() {
  local i net
  has_network || { echo 127.0.0.1 && return; }
  net=$(network_net)
  for i in "${!network_hosts[@]}"; do
    [ "${network_hosts[i]}" != "$1" ] || echo "$net.$((i + 2))"
  done
}

# HOST COMMAND...: replaces this process. Unlike `ip netns exec`, this does not remount /sys, from which
# a JVM reads container limits.
network_exec() {
  local host=$1
  shift
  has_network || exec "$@"
  exec nsenter --net="/var/run/netns/$network_bridge-$host" "$@"
}

# prints the network setup in one line
network_say() {
  if has_network; then
    echo "network: namespaces $network_bridge-* behind bridge $network_bridge, $(network_net).0/24"
  else
    echo "network: loopback${network_reason:+; namespaces unavailable: $network_reason}"
  fi
}

# MODE: auto, namespaces or loopback. Fails only in mode namespaces or if MODE is invalid; network_reason
# is the reason.
network_start() {
  case $1 in
    loopback) return ;;
    auto | namespaces) ;;
    *) network_reason="SPARKND_NETWORK is '$1'; use auto, namespaces or loopback" && return 1 ;;
  esac
  if ! network_reason=$(network_missing) || ! network_reason=$(network_make 2>&1); then
    network_end
    [ "$1" = auto ]
  fi
}

network_missing() {
  [ "$(id -u)" = 0 ] || { echo 'network namespaces require root' && return 1; }
  command -v ip >/dev/null || { echo 'ip (iproute2) is not installed' && return 1; }
  command -v nsenter >/dev/null || { echo 'nsenter (util-linux) is not installed' && return 1; }
}

network_make() {
  local i net
  net=$(free_net) || { echo 'all candidate subnets are in use' && return 1; }
  ip link add "$network_bridge" type bridge &&
    ip address add "$net.1/24" dev "$network_bridge" &&
    ip link set "$network_bridge" up || return 1
  for i in "${!network_hosts[@]}"; do
    make_host "$i" "$net.$((i + 2))" || return 1
  done
  network_try
}

# NUMBER ADDRESS
make_host() {
  local name=$network_bridge-${network_hosts[$1]} link=$network_bridge-$1
  ip netns add "$name" &&
    ip link add "$link" type veth peer name eth0 netns "$name" &&
    ip link set "$link" master "$network_bridge" up &&
    ip -n "$name" link set lo up &&
    ip -n "$name" address add "$2/24" dev eth0 &&
    ip -n "$name" link set eth0 up
}

# prints a private subnet that no route of this machine overlaps, default routes aside
free_net() {
  local start last
  for start in 10.213 172.29 192.168; do
    for last in {201..209}; do
      [ -n "$(routes "$start.$last")" ] || { echo "$start.$last" && return; }
    done
  done
  return 1
}

# NET: prints the routes to all or parts of it
routes() {
  local which
  for which in match root; do
    ip -4 route show table all "$which" "$1.0/24"
  done | sed '/^default/d; /^0\.0\.0\.0\/1 /d; /^128\.0\.0\.0\/1 /d'
}

# checks that no firewall drops bridged packets
network_try() {
  local host
  for host in worker-1 worker-2 history driver; do
    (network_exec "$host" bash -c "$(declare -f answers); answers $(network_address master)") &&
      answers "$(network_address "$host")" ||
      { echo "a firewall blocks $host" && return 1; }
  done
}

# ADDRESS: whether the host there refuses a connection to a closed port, which it does at once
answers() {
  [[ $(LC_ALL=C timeout 5 bash -c "</dev/tcp/$1/9" 2>&1) == *refused* ]]
}

# HOST: drops all its packets
network_cut() {
  ip link set "$(link_of "$1")" down
}

network_join() {
  ip link set "$(link_of "$1")" up
}

link_of() {
  local i
  for i in "${!network_hosts[@]}"; do
    [ "${network_hosts[i]}" != "$1" ] || echo "$network_bridge-$i"
  done
}

# removes all namespaces and links, and kills processes that still run there
network_end() {
  local i name
  has_network || return 0
  for i in "${!network_hosts[@]}"; do
    name=$network_bridge-${network_hosts[i]}
    end_all "$name"
    ! has_link "$network_bridge-$i" || ip link delete "$network_bridge-$i"
    [ ! -e "/var/run/netns/$name" ] || ip netns delete "$name"
  done
  ip link delete "$network_bridge"
}

# NAMESPACE: terminates its processes, first with TERM, then with KILL
end_all() {
  local try pids signal=TERM
  [ -e "/var/run/netns/$1" ] || return 0
  for try in {1..100}; do
    pids=$(ip netns pids "$1" 2>/dev/null) || return 0
    [ -n "$pids" ] || return 0
    [ "$try" -lt 50 ] || signal=KILL
    # shellcheck disable=SC2086  # one word per process
    kill -s $signal $pids 2>/dev/null || true
    sleep 0.1
  done
}
