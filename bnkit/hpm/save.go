package hpm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"bnlab/internal/atomicfile"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// stored is a model as a file holds it: JSON, numbers with all their digits.
type stored struct {
	Format string
	*Model
}

const format = "bnlab hidden process model 1"

// Save writes the model to a JSON file, from which [Load] reads it. If writing fails the file is
// unchanged.
func (m *Model) Save(path string) error {
	if err := m.check(); err != nil {
		return say.Errorf("hpm: saving %s: %w", path, err)
	}
	err := atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(stored{format, m}) })
	if err != nil {
		return say.Errorf("hpm: %w", err)
	}
	return nil
}

// Load reads what [Model.Save] wrote. It returns an error for anything else.
func Load(path string) (*Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, say.Errorf("hpm: %w", err)
	}
	s := stored{Model: new(Model)}
	if err := notnull.Unmarshal(text, &s); err != nil {
		return nil, say.Errorf("hpm: reading %s: %w", path, err)
	}
	if s.Format != format {
		return nil, say.Errorf("hpm: reading %s: its format is %q; a file that Save wrote has %q", path, s.Format,
			format)
	}
	if err := s.Model.check(); err != nil {
		return nil, say.Errorf("hpm: reading %s: %w", path, err)
	}
	return s.Model, nil
}

// check returns an error for a model whose parts do not fit together.
func (m *Model) check() error {
	if m == nil {
		return errors.New("there is no model")
	}
	if len(m.Voxels) == 0 {
		return errors.New("it has no voxels")
	}
	if len(m.Variance) != len(m.Voxels) ||
		slices.ContainsFunc(m.Variance, func(x float64) bool { return !(x > 0) || math.IsInf(x, 1) }) {
		return fmt.Errorf("%d variances of %d voxels: each voxel has one, above 0", len(m.Variance), len(m.Voxels))
	}
	owned := make([]bool, len(m.Voxels))
	for i, c := range m.Clusters {
		if len(c.Base) != len(m.Processes) || len(c.Amplitude) != len(c.Voxels) {
			return fmt.Errorf("cluster %d has %d processes of %d, and amplitudes of %d voxels of %d", i, len(c.Base),
				len(m.Processes), len(c.Amplitude), len(c.Voxels))
		}
		for k, p := range c.Base {
			if len(p) != m.Processes[k].Length || notFinite(p) >= 0 {
				return say.Errorf("cluster %d: process %q has %d values, %d are wanted, all finite", i,
					m.Processes[k].Name, len(p), m.Processes[k].Length)
			}
		}
		if len(c.Voxels) == 0 || !slices.IsSorted(c.Voxels) {
			return fmt.Errorf("cluster %d does not list its voxels in ascending order, one or more", i)
		}
		for j, v := range c.Voxels {
			if v < 0 || v >= len(owned) || owned[v] {
				return fmt.Errorf("cluster %d holds voxel %d, which is in another or none of %d", i, v, len(owned))
			}
			owned[v] = true
			if c := c.Amplitude[j]; len(c) != len(m.Processes) || notFinite(c) >= 0 {
				return fmt.Errorf("cluster %d: voxel %d has %d amplitudes, %d are wanted, all finite", i, v, len(c),
					len(m.Processes))
			}
		}
	}
	if v := slices.Index(owned, false); v >= 0 {
		return fmt.Errorf("voxel %d is in no cluster", v)
	}
	return nil
}
