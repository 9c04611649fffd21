{{- /* Not empty if one of the servers is an Aerospike client. */ -}}
{{- define "trip-cache.asksAerospike" -}}
{{- range include "store.hosted" . | fromJsonArray -}}
{{- if or (eq . "aerospike") (hasPrefix "aerospike-" .) }}yes{{ end -}}
{{- end -}}
{{- end }}

{{- /* Name of the objects of Aerospike's server. No server type of this chart can have this name. */ -}}
{{- define "trip-cache.asd" -}}
{{ include "store.name" . }}-asd
{{- end }}

{{- define "trip-cache.asdSelector" -}}
{{ include "store.selector" . | replace "component: store" "component: aerospike" }}
{{- end }}

{{- define "trip-cache.asdPodLabels" -}}
{{ include "store.podLabels" . | replace "component: store" "component: aerospike" }}
{{- end }}

{{- define "trip-cache.asdLabels" -}}
{{ include "store.labels" . | replace "component: store" "component: aerospike" }}
{{- end }}

{{- /* Aerospike's own example configuration for one namespace in a file, with changed paths, nodes and addresses. */ -}}
{{- define "trip-cache.asdConfiguration" -}}
service {
	cluster-name {{ include "trip-cache.asd" . }}
	proto-fd-max 1024
	work-directory /var/lib/aerospike
}
logging {
	console {
		context any info
	}
}
mod-lua {
	user-path /var/lib/aerospike/usr/udf/lua
}
network {
	service {
		address any
		port 3000
	}
	heartbeat {
		mode mesh
		address any
		port 3002
		{{- range $i := until (int .Values.aerospike.nodes) }}
		mesh-seed-address-port {{ include "trip-cache.asd" $ }}-{{ $i }}.{{ include "trip-cache.asd" $ }} 3002
		{{- end }}
		interval 150
		timeout 10
	}
	fabric {
		address any
		port 3001
	}
}
namespace trips {
	replication-factor {{ .Values.aerospike.replicationFactor }}
	default-ttl 0
	storage-engine device {
		file /var/lib/aerospike/trips.dat
		filesize {{ .Values.aerospike.fileGiB }}G
		read-page-cache true
	}
}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "trip-cache.validateAerospike" -}}
{{- if include "trip-cache.asksAerospike" . -}}
{{- if not .Values.aerospike.image -}}
{{- fail "aerospike.image is empty: the server aerospike needs the image of Aerospike's server; hand it over (AEROSPIKE_IMAGE_ARCHIVE=<archive of aerospike/aerospike-server>), name one that your nodes can pull, or choose other servers" -}}
{{- end -}}
{{- if gt (int .Values.aerospike.replicationFactor) (int .Values.aerospike.nodes) -}}
{{- fail (printf "aerospike.replicationFactor is %d: it exceeds aerospike.nodes (%d); lower it, or raise aerospike.nodes" (int .Values.aerospike.replicationFactor) (int .Values.aerospike.nodes)) -}}
{{- end -}}
{{- $syncs := dict "sync" (has "aerospike" .Values.server.types | ternary .Values.sync "") -}}
{{- range .Values.server.instances -}}
{{- if hasPrefix "aerospike-" .name }}{{ $_ := set $syncs (printf "sync of %s" .name) (get (.options | default dict) "sync" | default $.Values.sync) }}{{ end -}}
{{- end -}}
{{- range $where, $sync := $syncs -}}
{{- if eq $sync "always" }}{{ fail (printf "%s is always: Aerospike cannot sync on request; set it to interval or never" $where) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end }}
