{{/* The settings as variables; those that are secret, as names of mounted files. */}}
{{- define "accord.environment" -}}
- name: ACCORD_COMPILER_SOCKET
  value: /run/accord/compiler
{{- range $name, $value := .root.Values.settings }}
- name: {{ $name }}
  value: {{ tpl (include "accord.text" $value) $.root | quote }}
{{- end }}
{{- range $name, $reference := .secrets }}
- name: {{ $name }}_FILE
  value: /run/secrets/accord/{{ $name }}
{{- end }}
{{- end }}

{{- define "accord.securityContext" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
{{- end }}

{{/* What every container has: image, variables, secrets, places to write. */}}
{{- define "accord.container" -}}
image: {{ include "accord.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  {{- include "accord.securityContext" . | nindent 2 }}
volumeMounts:
  - name: run
    mountPath: /run/accord
  - name: secrets
    mountPath: /run/secrets/accord
    readOnly: true
  - name: temporary
    mountPath: /tmp
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* The compiler of Protobuf: started before the container that it serves, ended after it; it knows no secret. */}}
{{- define "accord.compiler" -}}
- name: compiler
  image: {{ include "accord.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  restartPolicy: Always
  command: [python, -m, accord.formats.protobuf.compiler]
  args: [--socket, /run/accord/compiler]
  securityContext:
    {{- include "accord.securityContext" . | nindent 4 }}
  startupProbe:
    exec:
      command: [test, -S, /run/accord/compiler]
    periodSeconds: 1
    failureThreshold: 60
  resources:
    {{- toYaml .Values.compiler.resources | nindent 4 }}
  volumeMounts:
    - name: run
      mountPath: /run/accord
    - name: temporary
      mountPath: /tmp
    - name: memory
      mountPath: /dev/shm
{{- end }}

{{/* What every pod has: no token, no root, volumes, and where it may run. */}}
{{- define "accord.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ include "accord.text" .root.Values.runAsUser }}
  runAsGroup: {{ include "accord.text" .root.Values.runAsUser }}
  fsGroup: {{ include "accord.text" .root.Values.runAsUser }}
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: run
    emptyDir:
      medium: Memory
      sizeLimit: 64Mi
  - name: temporary
    emptyDir:
      sizeLimit: 1Gi
  - name: memory
    emptyDir:
      medium: Memory
      sizeLimit: 256Mi
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $name, $reference := .secrets }}
        - secret:
            name: {{ $reference.name }}
            items:
              - key: {{ $reference.key }}
                path: {{ $name }}
        {{- end }}
  {{- with .root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "accord.podMetadata" -}}
labels:
  {{- include "accord.labels" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
  {{- with .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .root.Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
