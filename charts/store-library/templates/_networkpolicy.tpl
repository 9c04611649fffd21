{{- /* Rules for traffic to the store's pods other than that of load and Prometheus. */ -}}
{{- define "store.ingress" -}}
{{- end }}

{{- /* Rules for connections that the store's pods open. */ -}}
{{- define "store.egress" -}}
{{- end }}

{{- /* Egress rule that allows DNS. */ -}}
{{- define "store.names" -}}
- to: {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - {port: {{ . }}, protocol: UDP}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
{{- end }}

{{- /* Load pods of this release's runs only, and those that a value names. */ -}}
{{- define "store.loadPods" -}}
- podSelector:
    matchLabels: {ringside.dev/release-{{ .Release.Name }}: "true"}
{{- with .Values.networkPolicy.loadFrom }}{{ toYaml . | nindent 0 }}{{ end }}
{{- end }}

{{- /* Policy of the store's pods. */ -}}
{{- define "store.networkPolicy" -}}
{{- if .Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "store.name" . }}
  labels: {{- include "store.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "store.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- include "store.ingress" . | nindent 4 }}
    - from:
        {{- include "store.loadPods" . | nindent 8 }}
        - podSelector:
            matchLabels:
              app.kubernetes.io/instance: {{ .Release.Name }}
              app.kubernetes.io/component: test
      ports:
        {{- range include "store.servers" . | fromJsonArray }}
        - {port: {{ .portName }}{{ with include "store.protocol" $ }}, protocol: {{ . }}{{ end }}}
        {{- end }}
        {{- if include "store.on" .Values.counters }}
        - {port: counters, protocol: UDP}
        {{- end }}
        {{- range list "profile" "kill" }}
        {{- if include "store.on" (get $.Values .) }}
        - {port: {{ . }}}
        {{- end }}
        {{- end }}
    {{- if include "store.on" .Values.metrics }}
    - from:
        {{- range .Values.networkPolicy.metricsFrom }}
        - namespaceSelector: {}
          podSelector: {{- toYaml . | nindent 12 }}
        {{- end }}
      ports:
        - {port: metrics}
    {{- end }}
  {{- with include "store.egress" . | trim }}
  egress:
    {{- . | nindent 4 }}
  {{- else }}
  # The store opens no connection. Answers need no rule.
  egress: []
  {{- end }}
{{- end }}
{{- end }}

{{- /*
Load pods of this release's runs connect only to the release's pods, DNS and the API server, to which they report. With hostNetwork there is no
such policy, because a policy cannot select pods on the host network.
*/ -}}
{{- define "store.loadPolicy" -}}
{{- with .Values.networkPolicy }}
{{- if and .enabled .loadEgress.enabled (not $.Values.hostNetwork) }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "store.release" $ }}-load
  labels: {{- include "store.labels" $ | nindent 4 }}
spec:
  podSelector:
    matchLabels: {ringside.dev/release-{{ $.Release.Name }}: "true"}
  policyTypes: [Egress]
  egress:
    - to:
        - podSelector:
            matchLabels: {app.kubernetes.io/instance: {{ $.Release.Name }}}
    {{- include "store.names" $ | nindent 4 }}
    - ports:
        {{- range .loadEgress.apiServer.ports }}
        - {port: {{ . }}}
        {{- end }}
      {{- with .loadEgress.apiServer.to }}
      to: {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- with .loadEgress.more }}{{ toYaml . | nindent 4 }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
