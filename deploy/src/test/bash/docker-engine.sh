#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts a Docker engine with Compose for the tests of docker-compose.yml, in its own folder.
#   docker-engine.sh start DIR   prints the variables that the docker command needs, one per line;
#                                exits with 69 and the reason on stderr if no engine can be started
#   docker-engine.sh stop DIR
# Uses a running engine. Otherwise installs Debian's engine and starts it, which requires root.
# Containers reach only each other and this machine: there is no NAT, because its rules would break
# the network namespaces of bin/cluster.
set -euo pipefail

usage="usage: docker-engine.sh start|stop DIR"
action=${1:?$usage}
dir=${2:?$usage}

unavailable() {
  echo "docker-engine: $*" >&2
  exit 69
}

has_compose() {
  docker compose version --short 2>/dev/null | grep -qE '^v?(2\.[2-9][0-9]|[3-9])'
}

install_engine() {
  command -v dockerd >/dev/null && command -v iptables >/dev/null && return
  command -v apt-get >/dev/null || unavailable "no dockerd, and no apt-get to install it with"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -qq -y --no-install-recommends docker.io iptables; } \
    >"$dir/apt.log" 2>&1 || unavailable "docker.io cannot be installed; $(tail -n 1 "$dir/apt.log")"
}

# Debian 12 has Compose 1, which cannot read the file; Debian 13 has Compose 2.
install_compose() {
  local apt=$dir/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$DOCKER_CONFIG/cli-plugins"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [ -f "$list" ] && sed 's/bookworm/trixie/g' "$list" >"$apt/parts/next.${list##*.}"
  done
  local options=(-qq -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache"
    -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts")
  (cd "$apt" && apt-get "${options[@]}" update && apt-get "${options[@]}" download docker-compose &&
    dpkg-deb -x docker-compose_*.deb tree) >"$dir/compose.log" 2>&1 ||
    unavailable "Compose 2 cannot be installed; $(tail -n 1 "$dir/compose.log")"
  cp "$apt/tree/usr/libexec/docker/cli-plugins/docker-compose" "$DOCKER_CONFIG/cli-plugins/"
}

start() {
  mkdir -p "$dir"
  if ! docker info >/dev/null 2>&1; then
    [ "$(id -u)" = 0 ] || unavailable "no engine is running, and starting one requires root"
    install_engine
    export DOCKER_HOST=unix://$dir/docker.sock
    setsid dockerd --host "$DOCKER_HOST" --data-root "$dir/data" --exec-root "$dir/exec" \
      --pidfile "$dir/pid" --iptables=false --ip6tables=false >"$dir/dockerd.log" 2>&1 &
    for _ in $(seq 60); do
      docker info >/dev/null 2>&1 && break
      sleep 1
    done
    docker info >/dev/null 2>&1 ||
      unavailable "dockerd does not start; $(grep -v level=info "$dir/dockerd.log" | tail -n 1)"
    echo "DOCKER_HOST=$DOCKER_HOST"
  fi
  if ! has_compose; then
    export DOCKER_CONFIG=$dir/config
    install_compose
    has_compose || unavailable "Compose 2.20 or later is required"
    echo "DOCKER_CONFIG=$DOCKER_CONFIG"
  fi
}

stop() {
  [ -f "$dir/pid" ] || return 0
  local pid
  pid=$(cat "$dir/pid")
  kill "$pid" 2>/dev/null || return 0
  for _ in $(seq 30); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 1
  done
}

case $action in
  start | stop) "$action" ;;
  *) unavailable "$usage" ;;
esac
