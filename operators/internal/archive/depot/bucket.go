package depot

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

// sumKey is the metadata key of an object's SHA-256. The meaning of checksums and ETags differs between storages.
const sumKey = "Sha256"

// bucket is a place in an S3-compatible storage.
type bucket struct {
	client       *minio.Client
	name, prefix string
	storage      storage
}

func (b *bucket) key(name string) string { return path.Join(b.prefix, name) }

func (b *bucket) put(ctx context.Context, name string, text []byte, sum string) error {
	_, err := b.client.PutObject(ctx, b.name, b.key(name), bytes.NewReader(text), int64(len(text)), minio.PutObjectOptions{
		UserMetadata:     map[string]string{sumKey: sum},
		SendContentMd5:   true, // the storage rejects data that was damaged in transit
		DisableMultipart: true, // an object is stored completely or not at all, without leftover parts
	})
	return b.explain(err)
}

func (b *bucket) move(ctx context.Context, from, to string) error {
	_, err := b.client.CopyObject(ctx, minio.CopyDestOptions{Bucket: b.name, Object: b.key(to)}, minio.CopySrcOptions{Bucket: b.name, Object: b.key(from)})
	if err != nil {
		return b.explain(err)
	}
	// Credentials without the right to delete leave the copy. It only takes space.
	_ = b.client.RemoveObject(ctx, b.name, b.key(from), minio.RemoveObjectOptions{})
	return nil
}

func (b *bucket) get(ctx context.Context, name string, most int64) ([]byte, error) {
	object, err := b.client.GetObject(ctx, b.name, b.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, b.explain(err)
	}
	defer object.Close()
	text, err := readAtMost(object, most)
	return text, b.explain(err)
}

func (b *bucket) has(ctx context.Context, name string) (bool, error) {
	_, err := b.client.StatObject(ctx, b.name, b.key(name), minio.StatObjectOptions{})
	if absent(err) {
		return false, nil
	}
	return err == nil, b.explain(err)
}

func (b *bucket) sums(ctx context.Context, folder string) (map[string]string, error) {
	under := b.key(folder) + "/"
	sums := map[string]string{}
	var mutex sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	list, stop := context.WithCancel(ctx)
	defer stop() // ends the listing's goroutine if the listing is left early
	for object := range b.client.ListObjects(list, b.name, minio.ListObjectsOptions{Prefix: under, Recursive: true}) {
		if object.Err != nil {
			group.Go(func() error { return object.Err })
			break
		}
		group.Go(func() error {
			info, err := b.client.StatObject(ctx, b.name, object.Key, minio.StatObjectOptions{})
			mutex.Lock()
			defer mutex.Unlock()
			sums[strings.TrimPrefix(object.Key, under)] = info.UserMetadata[sumKey]
			return err
		})
	}
	return sums, b.explain(group.Wait())
}

func (b *bucket) folders(ctx context.Context, folder string) ([]string, error) {
	under := b.key(folder) + "/"
	if b.key(folder) == "" {
		under = ""
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var names []string
	for object := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: under}) {
		if object.Err != nil {
			return nil, b.explain(object.Err)
		}
		if name, is := strings.CutSuffix(strings.TrimPrefix(object.Key, under), "/"); is && fs.ValidPath(name) && name != "." {
			names = append(names, name)
		}
	}
	return names, nil
}
