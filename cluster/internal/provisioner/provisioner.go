// Package provisioner creates and deletes the directories and image files of the cluster's local PersistentVolumes.
package provisioner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"

	"ringside.dev/ringside/cluster/internal/imagevolume"
	"ringside.dev/ringside/cluster/internal/node"
)

const (
	// Name is the name of this provisioner in storage classes.
	Name = "ringside.dev/local-directory"
	// kindParameter is the parameter of a storage class for the kind of its volumes: by default directories of the
	// node's file system, or images with their own file system.
	kindParameter = "kind"
	kindImage     = "image"
)

// Local provisions directories on the nodes' disks, and images in them.
type Local struct {
	Machines string // directory with one subdirectory per node
}

// Provision creates an empty directory on the node that the scheduler chose. Only root can access it; the kubelet gives
// it to the group of the pod that mounts it (fsGroup).
func (l Local) Provision(ctx context.Context, opts controller.ProvisionOptions) (*core.PersistentVolume, controller.ProvisioningState, error) {
	if opts.SelectedNodeName == "" {
		return nil, controller.ProvisioningFinished, errors.New("the storage class must have volumeBindingMode WaitForFirstConsumer: a local volume needs a node")
	}
	if mode := opts.PVC.Spec.VolumeMode; mode != nil && *mode != core.PersistentVolumeFilesystem {
		return nil, controller.ProvisioningFinished, fmt.Errorf("volume mode %s is not supported, only %s", *mode, core.PersistentVolumeFilesystem)
	}
	for _, mode := range opts.PVC.Spec.AccessModes {
		if mode != core.ReadWriteOnce && mode != core.ReadWriteOncePod {
			return nil, controller.ProvisioningFinished, fmt.Errorf("access mode %s is not supported: a local volume is on one node", mode)
		}
	}
	kind := opts.StorageClass.Parameters[kindParameter]
	if kind != "" && kind != kindImage {
		return nil, controller.ProvisioningFinished, fmt.Errorf("storage class %s has %s %q: it may be %q, or not be set", opts.StorageClass.Name, kindParameter, kind, kindImage)
	}
	dir, err := l.directory(opts.SelectedNodeName, opts.PVName)
	if err != nil {
		return nil, controller.ProvisioningReschedule, err
	}
	// Remove the remains of a failed attempt: a new volume must be empty.
	if err := os.RemoveAll(dir); err != nil {
		return nil, controller.ProvisioningFinished, fmt.Errorf("empty volume directory: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, controller.ProvisioningFinished, fmt.Errorf("make volume directory: %w", err)
	}
	if kind == kindImage {
		size := opts.PVC.Spec.Resources.Requests[core.ResourceStorage]
		if err := imagevolume.Make(ctx, dir, size.Value()); err != nil {
			return nil, controller.ProvisioningFinished, err
		}
	}
	return volume(opts, kind), controller.ProvisioningFinished, nil
}

// Delete deletes the volume's directory with its content.
func (l Local) Delete(_ context.Context, pv *core.PersistentVolume) error {
	nodeName, err := nodeOf(pv)
	if err != nil {
		return err
	}
	dir, err := l.directory(nodeName, pv.Name)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove volume directory: %w", err)
	}
	return nil
}

// directory builds the path only from names, never from a path in an API object: users who may edit objects must not be
// able to have other directories deleted.
func (l Local) directory(nodeName, volume string) (string, error) {
	for _, name := range []string{nodeName, volume} {
		if name != filepath.Base(name) || name == "." || name == ".." {
			return "", fmt.Errorf("%q is not a plain name", name)
		}
	}
	parent := node.VolumesOnHost(filepath.Join(l.Machines, nodeName))
	if _, err := os.Stat(parent); err != nil {
		return "", fmt.Errorf("node %s has no volume directory: %w", nodeName, err)
	}
	return filepath.Join(parent, volume), nil
}

func volume(opts controller.ProvisionOptions, kind string) *core.PersistentVolume {
	filesystem := core.PersistentVolumeFilesystem
	return &core.PersistentVolume{
		ObjectMeta: meta.ObjectMeta{Name: opts.PVName},
		Spec: core.PersistentVolumeSpec{
			PersistentVolumeReclaimPolicy: *opts.StorageClass.ReclaimPolicy,
			AccessModes:                   opts.PVC.Spec.AccessModes,
			VolumeMode:                    &filesystem,
			Capacity:                      core.ResourceList{core.ResourceStorage: opts.PVC.Spec.Resources.Requests[core.ResourceStorage]},
			PersistentVolumeSource:        source(opts.PVName, kind),
			NodeAffinity: &core.VolumeNodeAffinity{Required: &core.NodeSelector{
				NodeSelectorTerms: []core.NodeSelectorTerm{{MatchExpressions: []core.NodeSelectorRequirement{{
					Key: core.LabelHostname, Operator: core.NodeSelectorOpIn, Values: []string{opts.SelectedNodeName},
				}}}},
			}},
		},
	}
}

func source(name, kind string) core.PersistentVolumeSource {
	if kind == kindImage {
		return core.PersistentVolumeSource{FlexVolume: &core.FlexPersistentVolumeSource{Driver: imagevolume.Driver}}
	}
	return core.PersistentVolumeSource{Local: &core.LocalVolumeSource{Path: filepath.Join(node.VolumesDir, name)}}
}

// nodeOf returns the node that volume has written.
func nodeOf(pv *core.PersistentVolume) (string, error) {
	if pv.Spec.NodeAffinity != nil && pv.Spec.NodeAffinity.Required != nil {
		for _, term := range pv.Spec.NodeAffinity.Required.NodeSelectorTerms {
			for _, expression := range term.MatchExpressions {
				if expression.Key == core.LabelHostname && len(expression.Values) == 1 {
					return expression.Values[0], nil
				}
			}
		}
	}
	return "", fmt.Errorf("volume %s does not say which node it is on", pv.Name)
}
