{{- /* The pods' own service account, without rights and without a token. */ -}}
{{- define "store.serviceAccount" -}}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "store.release" . }}
  labels: {{- include "store.labels" . | nindent 4 }}
automountServiceAccountToken: false
{{- end }}

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "store.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* What the specification of every pod of the release begins with. */ -}}
{{- define "store.podSpec" -}}
serviceAccountName: {{ include "store.release" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ quote . }}
{{- end }}
securityContext: {{- include "store.podSecurity" . | nindent 2 }}
{{- $nodes := .Values.nodeSelector }}
{{- with dig "disk" "" (.Values.storage | default dict) }}{{ $nodes = mustMerge (dict "ringside.dev/disk" .) $nodes }}{{ end }}
{{- with $nodes }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Claim of the volume data, with the labels of selector. */ -}}
{{- define "store.dataClaim" -}}
- metadata:
    name: data
    labels: {{- .selector | nindent 6 }}
  spec:
    accessModes: [ReadWriteOnce]
    {{- with .className }}
    storageClassName: {{ quote . }}
    {{- end }}
    resources:
      requests: {storage: {{ quote .size }}}
{{- end }}

{{- /* Pod of helm test, from its context, its name, and the rest of its container (arguments, resources) and of the pod. */ -}}
{{- define "store.testPod" -}}
{{- $name := .name }}
{{- $container := .container }}
{{- $pod := .pod }}
{{- with .context }}
---
apiVersion: v1
kind: Pod
metadata:
  name: {{ include "store.name" . }}-{{ $name }}
  labels:
    {{- include "store.labels" . | replace "component: store" "component: test" | nindent 4 }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext: {{- include "store.podSecurity" . | nindent 4 }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ $name }}
      image: {{ include "store.image" . | quote }}
      imagePullPolicy: {{ quote .Values.image.pullPolicy }}
      securityContext: {{- toYaml .Values.securityContext | nindent 8 }}
      {{- if $container }}
      {{- $container | nindent 6 }}
      {{- else }}
      # The image's command check asks every server.
      args:
        - check
        {{- range include "store.servers" . | fromJsonArray }}
        - {{ .service }}:{{ .port }}
        {{- end }}
      resources:
        requests: {cpu: 10m, memory: 64Mi}
        limits: {memory: 256Mi}
      {{- end }}
  {{- with $pod }}{{ . | nindent 2 }}{{ end }}
{{- end }}
{{- end }}
