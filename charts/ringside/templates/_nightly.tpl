{{- /* The ringside command's image. */ -}}
{{- define "ringside.nightlyImage" -}}
{{- $built := .Values.images.digests.cli | default dict -}}
{{- if .Values.nightly.image -}}
{{ .Values.nightly.image }}
{{- else if and .Values.images.digests (not (hasKey .Values.images.digests "cli")) -}}
{{- fail "nightly.image: it is empty, and images.digests has no cli; build that image with ringside-images build cli, or set nightly.image" -}}
{{- else -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}ringside-cli:{{ $built.tag | default .Values.image.tag }}
{{- end -}}
{{- end }}

{{- /* Name of the experiment, by which history finds its runs. */ -}}
{{- define "ringside.nightlyExperiment" -}}
{{- $nightly := .Values.nightly -}}
{{- if eq (empty $nightly.experiment) (empty $nightly.experimentFile) -}}
{{- fail "nightly.enabled: experiment and experimentFile are both empty or both set; set one" -}}
{{- end -}}
{{- if $nightly.experiment -}}
{{ $nightly.experiment }}
{{- else -}}
{{- $file := fromYaml $nightly.experimentFile -}}
{{- if or (ne (toString $file.kind) "Experiment") (not (kindIs "map" $file.metadata)) (not (kindIs "string" ($file.metadata).name)) -}}
{{- fail "nightly.experimentFile: it is not an Experiment with metadata.name; correct it with ringside check" -}}
{{- end -}}
{{ $file.metadata.name }}
{{- end -}}
{{- end }}

{{- /* Place of the archive, as ringside run --archive accepts it. */ -}}
{{- define "ringside.nightlyPlace" -}}
{{- with .Values.nightly.archive -}}
{{- if eq (empty .claim) (empty .bucket) -}}
{{- fail "nightly.archive: claim and bucket are both empty or both set; set one, which keeps the runs that history compares" -}}
{{- else if ne (empty .bucket) (empty .secret) -}}
{{- fail "nightly.archive: only one of bucket and secret is set; set both, because the Secret has the credentials for the bucket" -}}
{{- end -}}
{{ .bucket | default "/archive" }}
{{- end -}}
{{- end }}

{{- /* What both containers have. Arguments: root, and push, the Secret for sending the history. */ -}}
{{- define "ringside.nightlyContainer" -}}
{{- $push := .push -}}
{{- with .root -}}
{{- $nightly := .Values.nightly -}}
image: {{ include "ringside.nightlyImage" . }}
imagePullPolicy: {{ quote .Values.image.pullPolicy }}
workingDir: /work
env:
  - name: GOMEMLIMIT
    valueFrom: {resourceFieldRef: {resource: limits.memory}}
  {{- with $push }}
  - name: RINGSIDE_PUSH_AUTHORIZATION
    valueFrom: {secretKeyRef: {name: {{ quote . }}, key: authorization}}
  {{- end }}
  {{- with .Values.extraEnv }}{{ toYaml . | nindent 2 }}{{ end }}
{{- if $nightly.archive.bucket }}
envFrom:
  - secretRef: {name: {{ quote $nightly.archive.secret }}}
{{- end }}
volumeMounts:
  - {name: work, mountPath: /work}
  {{- if $nightly.archive.claim }}
  - {name: archive, mountPath: /archive}
  {{- end }}
  {{- if $nightly.experimentFile }}
  - {name: experiment, mountPath: /experiment, readOnly: true}
  {{- end }}
  {{- with .Values.extraVolumeMounts }}{{ toYaml . | nindent 2 }}{{ end }}
resources: {{- toYaml $nightly.resources | nindent 2 }}
securityContext: {{- include "ringside.containerSecurity" . | nindent 2 }}
{{- end }}
{{- end }}
