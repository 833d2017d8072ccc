package hpm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"

	"bnlab/bnkit/hpm"
	"bnlab/bnkit/viz"
	"bnlab/datasets"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Names of the sources of data, as tables and figures have them.
const (
	fromVoxels  = "starplus-voxels"
	fromROI     = "starplus-roi"
	fromStandin = "stand-in"
	fromHaxby   = "haxby"
)

// A Source is a study and where it comes from.
type Source struct {
	name, title string
	kind        run.Data
	Study       *hpm.Study
	// Ground is the mean image, of more voxels than the study has; empty where there is none.
	Ground viz.Layer
	// Facts say what was read and what it should have been.
	Facts []fact
	// Missing says why there is no study.
	Missing error
	// names of the voxels, where they have any.
	names []string
	// truth is what a stand-in was made from.
	truth truth
}

// A fact is a number that was found in a source, beside the one that is known.
type fact struct {
	what        string
	want, found string
}

func count(what string, want, found int) fact {
	return fact{what, fmt.Sprint(want), fmt.Sprint(found)}
}

// verify returns an error that names the first fact that is not as it should be.
func (s *Source) verify() error {
	for _, f := range s.Facts {
		if f.want != "" && f.want != f.found {
			return say.Errorf("hpm: %s: %s is %s, want %s", s.name, f.what, f.found, f.want)
		}
	}
	return nil
}

// sources reads or makes all, in the order of the names above. A source whose files cannot be had
// has no study; a file that is there and wrong is an error.
func sources(ctx context.Context, job *run.Job, c Config, p published) (map[string]*Source, error) {
	all := make(map[string]*Source)
	for _, s := range []struct {
		name, title string
		kind        run.Data
		load        func(context.Context, *run.Job, *Source, Config, published) error
	}{
		{fromVoxels, "StarPlus, voxels", run.Real, loadVoxels},
		{fromROI, "StarPlus, means of seven regions", run.Real, loadROI},
		{fromStandin, "stand-in", run.StandIn, loadStandin},
		{fromHaxby, "Haxby, voxels of a slice", run.Real, loadHaxby},
	} {
		source := &Source{name: s.name, title: s.title, kind: s.kind}
		err := s.load(ctx, job, source, c, p)
		switch {
		case errors.Is(err, datasets.ErrNotAvailable):
			source.Missing = err
			job.LacksData(err)
			job.Progress(fmt.Sprintf("%s is left out: %v", s.name, err), 0, 1)
		case err != nil:
			return nil, say.Errorf("%s: %w", s.name, err)
		default:
			source.Facts = append(source.Facts, fact{what: "trials", found: fmt.Sprint(len(source.Study.Trials))},
				fact{what: "voxels", found: fmt.Sprint(len(source.Study.Voxels))})
		}
		all[s.name] = source
	}
	return all, nil
}

// file returns the path of a file of package datasets and tells the job which bytes it has.
func file(ctx context.Context, job *run.Job, name string, set *datasets.Settings) (string, error) {
	path, err := datasets.Path(ctx, name, set)
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	job.UsesData(name, hex.EncodeToString(sum.Sum(nil)))
	return path, nil
}

// Streams of random numbers, one for each part of the experiment.
const (
	standinStream = 1 + iota
	recoveryStream
	unequalStream
	saturatedStream
)

// loadStandin makes the study. Its voxels are those of StarPlus when the file with their places is at hand, and
// else by formula.
func loadStandin(ctx context.Context, job *run.Job, s *Source, c Config, p published) error {
	voxels, sides := formulaVoxels(p.table3), [2]string{}
	s.Facts = []fact{{what: "places of voxels", found: "formula"}}
	path, err := file(ctx, job, meansFile, nil)
	switch {
	case err == nil:
		if voxels, err = readVoxels(path, p.table3); err != nil {
			return err
		}
		s.Facts[0].found, sides = "those of StarPlus", sidesOf(voxels)
	case !errors.Is(err, datasets.ErrNotAvailable):
		return err
	}
	// Streams are by the number of the region in Table 3, whatever regions run.
	regions := make(map[string]int)
	for i, r := range p.table3 {
		regions[r.name] = i
	}
	voxels = slices.DeleteFunc(voxels, func(v hpm.Voxel) bool {
		return c.Regions != nil &&
			!slices.Contains(c.Regions, v.Region)
	})
	first := regionsOf(voxels)
	s.Study, s.truth = c.Standin.make(voxels, func(r int) rand.Source {
		return job.Source(standinStream, regions[voxels[first[r][0]].Region])
	})
	s.Study.Sides = sides
	return nil
}

// open reads a small file whole.
func open(ctx context.Context, job *run.Job, name string) ([]byte, error) {
	path, err := file(ctx, job, name, nil)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
