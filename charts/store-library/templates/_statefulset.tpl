{{- /* Name of the Service that gives pods their names. */ -}}
{{- define "store.governing" -}}
{{ (include "store.servers" . | fromJsonArray | first).service }}
{{- end }}

{{- /* Identifies the configuration. Another one restarts the pods. */ -}}
{{- define "store.configuration" -}}
{{- end }}

{{- /* Further fields of the StatefulSet. */ -}}
{{- define "store.set" -}}
{{- end }}

{{- /* Further fields of the pods: volumes, init containers. */ -}}
{{- define "store.pod" -}}
{{- end }}

{{- /* Puts each pod on its own machine, or in its own zone. */ -}}
{{- define "store.apart" -}}
- topologyKey: {{ quote .Values.topologyKey }}
  labelSelector:
    matchLabels: {{- include "store.selector" . | nindent 6 }}
{{- end }}

{{- define "store.affinity" -}}
{{- $theirs := deepCopy (.Values.affinity | default dict) -}}
{{- $others := dig "podAntiAffinity" "requiredDuringSchedulingIgnoredDuringExecution" list $theirs -}}
{{- $apart := concat (include "store.apart" . | fromYamlArray) $others -}}
{{- $ours := dict "podAntiAffinity" (dict "requiredDuringSchedulingIgnoredDuringExecution" $apart) -}}
{{- toYaml (mustMergeOverwrite $theirs $ours) -}}
{{- end }}

{{- /*
The store's pods. The chart defines store.container, which begins with the container's name and has its command, environment, ports, probes and
mounts. It may define the templates above.
*/ -}}
{{- define "store.statefulSet" -}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "store.name" . }}
  labels: {{- include "store.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.nodes }}
  serviceName: {{ include "store.governing" . }}
  podManagementPolicy: Parallel
  {{- include "store.set" . | nindent 2 }}
  selector:
    matchLabels: {{- include "store.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "store.podLabels" . | nindent 8 }}
        {{- if include "store.on" .Values.metrics }}
        ringside.dev/scrape: "true"
        {{- end }}
        {{- with .Values.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- $configuration := include "store.configuration" . }}
      {{- if or $configuration .Values.podAnnotations }}
      annotations:
        {{- with $configuration }}
        ringside.dev/configuration: {{ quote . }}
        {{- end }}
        {{- with .Values.podAnnotations }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- end }}
    spec:
      {{- include "store.podSpec" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      {{- if include "store.on" .Values.kill }}
      shareProcessNamespace: true
      {{- end }}
      affinity: {{- include "store.affinity" . | nindent 8 }}
      {{- with .Values.topologySpreadConstraints }}
      topologySpreadConstraints:
        {{- range . }}
        - {{- toYaml (mustMerge (deepCopy .) (dict "labelSelector" (dict "matchLabels" (include "store.selector" $ | fromYaml)))) | nindent 10 }}
        {{- end }}
      {{- end }}
      {{- if .Values.hostNetwork }}
      hostNetwork: true
      dnsPolicy: ClusterFirstWithHostNet
      {{- end }}
      {{- include "store.pod" . | nindent 6 }}
      containers:
        - {{ include "store.container" . | nindent 10 | trim }}
          image: {{ include "store.image" . | quote }}
          imagePullPolicy: {{ quote .Values.image.pullPolicy }}
          terminationMessagePolicy: FallbackToLogsOnError
          resources: {{- toYaml .Values.resources | nindent 12 }}
          securityContext: {{- toYaml .Values.securityContext | nindent 12 }}
  {{- with .Values.storage }}
  volumeClaimTemplates:
    {{- include "store.dataClaim" (dict "selector" (include "store.selector" $) "className" .className "size" .size) | nindent 4 }}
  {{- end }}
{{- end }}

{{- /* Everything but the Helm test of a store with one StatefulSet. */ -}}
{{- define "store.objects" -}}
{{- include "store.checkPorts" . -}}
{{ include "store.serviceAccount" . }}
{{ include "store.services" . }}
{{ include "store.networkPolicy" . }}
{{ include "store.loadPolicy" . }}
{{ include "store.statefulSet" . }}
{{- end }}
