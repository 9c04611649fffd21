{{- /* Of stores whose nodes form a ring: they find each other, hold data, and connect to each other on port 7000, named storage. */ -}}

{{- /* Name of the headless Service through which nodes find each other. */ -}}
{{- define "store.ring" -}}
{{ include "store.name" . }}-ring
{{- end }}

{{- define "store.ringObjects" -}}
---
# Publishes nodes before they are ready, so that they find each other.
apiVersion: v1
kind: Service
metadata:
  name: {{ include "store.ring" . }}
  labels: {{- include "store.labels" . | nindent 4 }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector: {{- include "store.selector" . | nindent 4 }}
  ports:
    - {name: storage, port: 7000, targetPort: storage}
---
# A drain evicts one node at a time. With three copies, QUORUM stays available, because the other nodes stay in their Services.
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "store.name" . }}
  labels: {{- include "store.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "store.selector" . | nindent 6 }}
{{- end }}

{{- define "store.ringIngress" -}}
- from:
    - podSelector:
        matchLabels: {{- include "store.selector" . | nindent 10 }}
  ports:
    - {port: storage}
{{- end }}

{{- /* Nodes connect only to each other and to DNS. */ -}}
{{- define "store.ringEgress" -}}
- to:
    - podSelector:
        matchLabels: {{- include "store.selector" . | nindent 10 }}
  ports:
    - {port: 7000}
{{ include "store.names" . }}
{{- end }}

{{- /* All pods start at once: ringside-node keeps the order. Node 0 is the seed, and the others wait until it listens. */ -}}
{{- define "store.ringSet" -}}
# The operator deletes the volume claims of a release. Without an operator, this policy does.
persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Retain}
{{- end }}

{{- /* Tokens are computed from the number of nodes, and no data are streamed: with another number, ranges would move to empty nodes. */ -}}
{{- define "store.checkRing" -}}
{{- if gt (int .Values.replicationFactor) (int .Values.nodes) -}}
{{- fail (printf "replicationFactor is %d: there are only %d nodes; lower replicationFactor or raise nodes" (int .Values.replicationFactor) (int .Values.nodes)) -}}
{{- end -}}
{{- with lookup "apps/v1" "StatefulSet" .Release.Namespace (include "store.name" .) -}}
{{- if ne (int .spec.replicas) (int $.Values.nodes) -}}
{{- fail (printf "nodes is %d: this release was installed with %d nodes, and its data cannot be redistributed; set nodes to %d, or uninstall the release and install it again" (int $.Values.nodes) (int .spec.replicas) (int .spec.replicas)) -}}
{{- end -}}
{{- end -}}
{{- end }}
