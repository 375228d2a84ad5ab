{{/* The name of the chart, as labels spell it. */}}
{{- define "accord.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* What the names of all objects begin with; the longest end of ours has 18 characters. */}}
{{- define "accord.fullname" -}}
{{ default .Release.Name .Values.fullnameOverride | trunc 45 | trimSuffix "-" }}
{{- end }}

{{/* What tells the pods of this release from all others. */}}
{{- define "accord.selector" -}}
app.kubernetes.io/name: {{ include "accord.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "accord.labels" -}}
{{ include "accord.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "accord.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* The hosts at which clients inside the cluster may call the Service. */}}
{{- define "accord.serviceHosts" -}}
{{- $name := include "accord.fullname" . -}}
{{ $name }},{{ $name }}.{{ .Release.Namespace }},{{ $name }}.{{ .Release.Namespace }}.svc,
{{- $name }}.{{ .Release.Namespace }}.svc.cluster.local
{{- end }}

{{/* A value as text: Helm reads every number as one with a point, and would write 5e+06. */}}
{{- define "accord.text" -}}
{{ kindIs "string" . | ternary . (toJson .) }}
{{- end }}
