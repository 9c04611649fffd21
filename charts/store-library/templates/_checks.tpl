{{- /* Checks of values that a schema cannot express. */ -}}

{{- /* Ports that the store uses itself, with their users. */ -}}
{{- define "store.taken" -}}
"8080": the probes
{{- end }}

{{- /* Path of the value with the port of the first server. */ -}}
{{- define "store.firstPortName" -}}
port
{{- end }}

{{- /* Rejects ports that collide, and a second server of one name. Servers on UDP share no port with the others. */ -}}
{{- define "store.checkPorts" -}}
{{- $taken := include "store.taken" . | fromYaml -}}
{{- range $name := list "metrics" "profile" "kill" -}}
{{- with get $.Values $name -}}
{{- if include "store.on" . -}}
{{- $port := toString (int .port) -}}
{{- with get $taken $port }}{{ fail (printf "%s.port is %s: the port is used by %s; choose another port" $name $port .) }}{{ end -}}
{{- $_ := set $taken $port (printf "%s.port" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $first := include "store.firstPort" . -}}
{{- $own := include "store.firstPortName" . -}}
{{- $protocol := include "store.protocol" . -}}
{{- if $protocol }}{{ $taken = dict (toString (int $.Values.counters.port)) "counters.port" }}{{ end -}}
{{- $names := list -}}
{{- range include "store.servers" . | fromJsonArray -}}
{{- $port := toString (int .port) -}}
{{- $names = append $names .name -}}
{{- with get $taken $port }}{{ fail (printf "%s is %s: server %s would listen on %s, which is used by %s; choose another port" $own $first (last $names) (printf "%s port %s" $protocol $port | trim) .) }}{{ end -}}
{{- end -}}
{{- if ne (len $names) (len (uniq $names)) -}}
{{- fail (printf "server.instances: %s names a server twice; give each server its own name" (join ", " $names)) -}}
{{- end -}}
{{- end }}
