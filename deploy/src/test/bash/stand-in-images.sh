#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds stand-in images under the image names of docker-compose.yml, for use without a registry:
# Debian with a Java runtime, the jars that Maven has resolved, and test servers for storage and catalog.
#   stand-in-images.sh SPARK_IMAGE STORAGE_IMAGE CATALOG_IMAGE     in deploy/, after the build
# An empty name is left out. Also makes the images sparknd-stand-in and sparknd-stand-in-debian.
# Requires root and mmdebstrap, which it installs on Debian.
set -euo pipefail

spark=$1
storage=$2
catalog=$3
base=sparknd-stand-in
# the test engine may lack BuildKit
export DOCKER_BUILDKIT=0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# files must be readable by the container user, whatever the umask of the build
umask 022

if ! command -v mmdebstrap >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends mmdebstrap >/dev/null
fi
# shellcheck disable=SC2016 # the hook expands $1
mmdebstrap --quiet --variant=minbase \
  --include=openjdk-17-jre-headless,wget,curl,procps \
  --customize-hook='chroot "$1" useradd --uid 185 --gid 0 --home-dir /opt/spark spark' \
  "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/base.tar"
docker import "$work/base.tar" $base-debian >/dev/null
rm "$work/base.tar"

context=$work/context
mkdir -p "$context"/{spark/jars,spark/bin,spark/work-dir,servers/classes}
tr ':' '\n' <target/spark.txt | xargs cp -t "$context/spark/jars"
cp src/test/images/* "$context/spark/bin/"
chmod -R a+rX "$context"
chmod 755 "$context"/spark/bin/*
cp target/jars/{sparknd-spark-runtime-4.1_2.13,sqlite-jdbc,iceberg-aws-bundle,iceberg-spark-runtime-4.1_2.13}.jar \
  "$context/servers/"
cp ../spark-ext/iceberg/target/sparknd-iceberg-4.1_2.13-*-tests.jar "$context/servers/iceberg-tests.jar"
cp -r target/test-classes/. "$context/servers/classes"

docker build --quiet --network none --tag $base --file - "$context" >/dev/null 2>&1 <<DOCKERFILE
FROM $base-debian
COPY servers /opt/servers
COPY spark /opt/spark
RUN chown 185:0 /opt/spark /opt/spark/work-dir && chmod -R a+rX /opt
ENV SPARK_HOME=/opt/spark SPARK_SCALA_VERSION=2.13
WORKDIR /opt/spark/work-dir
DOCKERFILE

# NAME INSTRUCTIONS
image() {
  [ -n "$1" ] || return 0
  printf 'FROM %s\n%s\n' $base "$2" | docker build --quiet --tag "$1" - >/dev/null 2>&1
}
java='"java", "-Xmx512m", "-cp", "/opt/servers/classes:/opt/servers/*:/opt/spark/jars/*"'
image "$spark" 'USER 185
ENTRYPOINT ["/usr/bin/env"]'
image "$storage" "ENTRYPOINT [$java, \"io.sparknd.deploy.ObjectServer\"]"
image "$catalog" "ENTRYPOINT [$java, \"io.sparknd.deploy.CatalogServer\"]"
