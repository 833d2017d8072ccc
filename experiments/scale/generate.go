package scale

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/format/parquet"
	"bnlab/experiments/run"
	"bnlab/internal/atomicfile"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// Random streams: of the tables of a stand-in, of the rows, where a chunk is a replicate, and of what grows.
const (
	streamTables = 1
	streamRows   = 2
	streamGrowth = 3
)

// A File is a Parquet file of cases that were drawn from a network.
type File struct {
	Path  string
	Rows  int
	Bytes int64
	Net   *bn.Network
}

// A receipt stands beside a file, and says what it holds.
type receipt struct {
	Settings string `json:"settings_sha256"`
	Bytes    int64  `json:"bytes"`
}

// folder is where the files are kept: in the checkout at root, or else in the user's own cache,
// never in a folder that others can write to.
func (c Config) folder(root string) (string, error) {
	if c.Folder != "" {
		return c.Folder, nil
	}
	if root != "" {
		return filepath.Join(root, "build", "scale"), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", say.Errorf("no folder for the rows; set XDG_CACHE_HOME, or run this in a checkout: %w", err)
	}
	return filepath.Join(cache, "bnlab", "scale"), nil
}

// generate draws the rows and writes them, or finds the file that an earlier run with the same
// settings has written. Rows come in chunks, each from a random stream of its own, so that the
// file does not depend on the workers, and that of fewer rows is the beginning of this one.
func generate(ctx context.Context, job *run.Job, c Config, net *bn.Network, rows int) (File, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, "chunk", c.Chunk, "rows", rows, "seed", job.Seed)
	if err := bif.Write(hash, net); err != nil {
		return File{}, err
	}
	settings := fmt.Sprintf("%x", hash.Sum(nil))
	folder, err := c.folder(run.Root())
	if err != nil {
		return File{}, err
	}
	f := File{Path: filepath.Join(folder, fmt.Sprintf("%d-%s.parquet", rows, settings[:12])), Rows: rows, Net: net}
	if bytes, ok := kept(f.Path, settings); ok {
		f.Bytes = bytes
		return f, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return f, err
	}
	if err := write(ctx, job, c, f); err != nil {
		return f, err
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return f, err
	}
	f.Bytes = info.Size()
	return f, keep(f, settings)
}

// kept returns the size of a file that an earlier run has finished.
func kept(path, settings string) (int64, bool) {
	b, err := os.ReadFile(path + ".json")
	var r receipt
	if err != nil || notnull.Unmarshal(b, &r) != nil || r.Settings != settings {
		return 0, false
	}
	info, err := os.Stat(path)
	return r.Bytes, err == nil && info.Size() == r.Bytes
}

// keep writes the receipt, whole or not at all.
func keep(f File, settings string) error {
	b, err := json.Marshal(receipt{settings, f.Bytes})
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(f.Path+".json", b)
}

// A chunk is some rows, or why there are none.
type chunk struct {
	table *data.Table
	err   error
}

// write draws chunks on all workers and writes them in order. The file appears when it is
// complete.
func write(ctx context.Context, job *run.Job, c Config, f File) error {
	w, err := parquet.Create(f.Path, f.Net.Variables(), nil)
	if err != nil {
		return err
	}
	defer w.Discard()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	queue := make(chan chan chunk, max(job.Workers, 1))
	go func() {
		defer close(queue)
		for from := 0; from < f.Rows; from += c.Chunk {
			one := make(chan chunk, 1)
			select {
			case queue <- one:
			case <-ctx.Done():
				return
			}
			go func() {
				t, err := data.Sample(f.Net, min(c.Chunk, f.Rows-from), job.Source(streamRows, from/c.Chunk))
				one <- chunk{t, err}
			}()
		}
	}()
	done := 0
	for one := range queue {
		drawn := <-one
		if drawn.err != nil {
			return drawn.err
		}
		if err := w.Write(drawn.table); err != nil {
			return err
		}
		done += drawn.table.Rows()
		job.Progress(fmt.Sprintf("draw %d rows", f.Rows), done, f.Rows)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.Close()
}
