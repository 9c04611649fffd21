//go:build e2e

package e2e

import (
	"os"
	"strings"
)

// storeHere returns the store. Without loop devices, both volumes have the class that works on every host.
func storeHere() string {
	if !loops() {
		return strings.Replace(store, "local-image", "local-ssd", 1)
	}
	return store
}

func loops() bool {
	_, err := os.Stat("/dev/loop-control")
	return err == nil
}

// store has one pod per node, each with a volume of each class, in a restricted namespace.
const store = `
apiVersion: v1
kind: Namespace
metadata:
  name: e2e
  labels:
    pod-security.kubernetes.io/enforce: restricted
---
apiVersion: v1
kind: Service
metadata:
  name: store
  namespace: e2e
spec:
  clusterIP: None
  selector: {app: store}
  ports: [{port: 8080}]
---
apiVersion: v1
kind: Service
metadata:
  name: front
  namespace: e2e
spec:
  selector: {app: store}
  ports: [{port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: store
  namespace: e2e
spec:
  serviceName: store
  replicas: 4
  podManagementPolicy: Parallel
  selector:
    matchLabels: {app: store}
  template:
    metadata:
      labels: {app: store}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector:
                matchLabels: {app: store}
      terminationGracePeriodSeconds: 1
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        fsGroup: 1000
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: probe
          image: ` + probeImage + `
          imagePullPolicy: Never
          args: [serve]
          readinessProbe:
            httpGet: {path: /, port: 8080}
            periodSeconds: 1
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts: [{name: data, mountPath: /data}, {name: own, mountPath: /own}]
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests: {storage: 1Gi}
    - metadata:
        name: own
      spec:
        storageClassName: local-image
        accessModes: [ReadWriteOnce]
        resources:
          requests: {storage: 64Mi}
`
