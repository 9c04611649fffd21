package simulated

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs"
)

// Namespace of simulated runs.
const Namespace = "ringside"

// NewClient returns a client of an in-memory API server that has Ringside installed, and assigns UIDs and creation times.
func NewClient(objects ...client.Object) client.WithWatch {
	objects = append(objects,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: Namespace}},
		&appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: "ringside", Namespace: Namespace, Labels: runs.OperatorLabels()},
			Status:     appsv1.DeploymentStatus{AvailableReplicas: 1},
		})
	plain := fake.NewClientBuilder().WithScheme(runs.Scheme()).WithObjects(objects...).
		WithStatusSubresource(&v1beta1.Experiment{}, &v1beta1.Measurement{}).Build()
	var count atomic.Int64
	return interceptor.NewClient(plain, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.CreateOption) error {
			object.SetUID(types.UID(fmt.Sprintf("uid-%d", count.Add(1))))
			object.SetCreationTimestamp(metav1.NewTime(time.Now().Truncate(time.Second)))
			return c.Create(ctx, object, opts...)
		},
	})
}
