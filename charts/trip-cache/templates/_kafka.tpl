{{- /* Name of the broker's objects. No server type of this chart can have this name. */ -}}
{{- define "trip-cache.kafka" -}}
{{ include "store.name" . }}-kafka
{{- end }}

{{- define "trip-cache.kafkaBrokers" -}}
{{ include "trip-cache.kafka" . }}:9092
{{- end }}

{{- define "trip-cache.kafkaImage" -}}
{{- with .Values.kafka.image }}{{ . }}{{ else }}{{ with .Values.image.registry }}{{ . }}/{{ end }}ringside-kafka:{{ .Values.image.tag }}{{ end }}
{{- end }}

{{- define "trip-cache.kafkaSelector" -}}
{{ include "store.selector" . | replace "component: store" "component: kafka" }}
{{- end }}

{{- define "trip-cache.kafkaPodLabels" -}}
{{ include "store.podLabels" . | replace "component: store" "component: kafka" }}
{{- end }}

{{- define "trip-cache.kafkaLabels" -}}
{{ include "store.labels" . | replace "component: store" "component: kafka" }}
{{- end }}

{{- /* One node that is broker and controller, so internal topics have one replica too. It advertises its address instead of its name, so that load generators need no DNS. */ -}}
{{- define "trip-cache.kafkaConfiguration" -}}
process.roles=broker,controller
node.id=0
config.providers=env
config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider
listeners=PLAINTEXT://:9092,CONTROLLER://127.0.0.1:9093
advertised.listeners=PLAINTEXT://${env:POD_IP}:9092,CONTROLLER://127.0.0.1:9093
controller.listener.names=CONTROLLER
controller.quorum.voters=0@127.0.0.1:9093
log.dirs=/var/lib/kafka/data
auto.create.topics.enable=false
log.retention.bytes={{ mul .Values.kafka.retentionMiB 1048576 }}
log.segment.bytes={{ mul (max 1 (div .Values.kafka.retentionMiB 4)) 1048576 }}
num.network.threads={{ .Values.kafka.threads }}
num.io.threads={{ .Values.kafka.threads }}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
{{- end }}

{{- /* Init containers that create the topic of each server. Each waits a minute for the broker, then fails and is restarted. */ -}}
{{- define "trip-cache.topics" -}}
{{- range include "store.hosted" . | fromJsonArray }}
- name: topic-{{ . }}
  image: {{ include "trip-cache.kafkaImage" $ | quote }}
  imagePullPolicy: {{ quote $.Values.image.pullPolicy }}
  command:
    - java
    - -Xmx64m
    - -XX:+UseSerialGC
    - -XX:+PerfDisableSharedMem
    - -XX:TieredStopAtLevel=1
    - -Dorg.slf4j.simpleLogger.defaultLogLevel=error
    - -cp
    - /opt/kafka/libs/*
    - org.apache.kafka.tools.TopicCommand
    - --bootstrap-server={{ include "trip-cache.kafkaBrokers" $ }}
    - --create
    - --if-not-exists
    - --topic={{ . }}
    - --partitions={{ $.Values.kafka.partitions }}
    - --replication-factor=1
  resources:
    requests: {cpu: 10m, memory: 64Mi}
    limits: {memory: 256Mi}
  securityContext: {{- toYaml $.Values.securityContext | nindent 4 }}
{{- end }}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "trip-cache.validateKafka" -}}
{{- if and .Values.kafka.enabled (gt (int .Values.nodes) 1) -}}
{{- fail (printf "kafka.enabled is true and nodes is %d: each pod would read every point of the topic; set nodes to 1" (int .Values.nodes)) -}}
{{- end -}}
{{- end }}
