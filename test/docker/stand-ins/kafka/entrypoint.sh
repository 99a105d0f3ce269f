#!/bin/bash
# As the official image does: KAFKA_NODE_ID is node.id, two underscores are one, three are a dash.
set -eu
properties=/tmp/server.properties

while IFS='=' read -r name value; do
  case $name in KAFKA_HEAP_OPTS | KAFKA_JVM_PERFORMANCE_OPTS) continue ;; esac
  key=$(tr '[:upper:]' '[:lower:]' <<< "${name#KAFKA_}" | sed 's/___/\x01/g; s/__/\x02/g; s/_/./g; s/\x01/-/g; s/\x02/_/g')
  echo "$key=$value"
done < <(env | grep '^KAFKA_') > "$properties"

run() {
  exec java ${KAFKA_HEAP_OPTS:-} -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp '/opt/kafka/libs/*' "$@"
}

(run kafka.tools.StorageTool format --ignore-formatted --cluster-id "$CLUSTER_ID" --config "$properties")
run kafka.Kafka "$properties"
