package hierarchy

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/datasets"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Brain is the size of the part with real data.
type Brain struct {
	People     int     // of each class, the first in the file; 0 for all
	Tests      float64 // fraction of them that is held out
	States     int     // of a region
	MaxParents int
	// Sizes are the equivalent sample sizes of BDe, Penalties the κ of ACL: they govern how many parents a node gets.
	Sizes, Penalties []float64
}

func quickBrain() Brain {
	return Brain{People: 10, Tests: 0.5, States: 4, MaxParents: 4, Sizes: []float64{1, 200},
		Penalties: []float64{1, 0.25}}
}

func paperBrain() Brain {
	return Brain{Tests: 0.5, States: 4, MaxParents: 4, Sizes: []float64{1, 10, 100, 300, 1000, 3000},
		Penalties: []float64{2, 1, 0.5, 0.25, 0.1, 0.05}}
}

// Files of the ABIDE set.
const (
	signalFile = "abide/nyu_ho111.csv.gz"
	labelFile  = "abide/ho111_talairach_map.csv"
	nameless   = "3455" // a region of two voxels, left out
)

// classNames are those of dx_group 1 and 2.
var classNames = [2]string{"autism", "control"}

// people are the real series: signals of regions and their aggregates, persons one after another.
type people struct {
	hierarchy *hierarchy.Hierarchy
	notes     []string
	groups    []int       // class of each person, 0 or 1
	images    int         // of each person
	signals   [][]float64 // by variable of the hierarchy
	constant  int         // signals of a person that never change
}

// file reads a file of package datasets and tells the job which bytes it has.
func file(ctx context.Context, job *run.Job, name string) ([]byte, error) {
	f, err := datasets.Open(ctx, name, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	job.UsesData(name, hex.EncodeToString(sum[:]))
	return b, nil
}

// readPeople reads both files, aggregates the regions by the weights of their voxels, and standardises each
// signal of each person, since levels and amplitudes differ between persons.
func readPeople(ctx context.Context, job *run.Job) (*people, error) {
	signals, err := file(ctx, job, signalFile)
	if err != nil {
		return nil, err
	}
	labels, err := file(ctx, job, labelFile)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(signals))
	if err != nil {
		return nil, say.Errorf("%s: %w", signalFile, err)
	}
	t, err := data.ReadCSV(unpacked, &data.CSVOptions{Discrete: []string{"file_id", "dx_group"}})
	if err != nil {
		return nil, say.Errorf("%s: %w", signalFile, err)
	}
	l, err := data.ReadCSV(bytes.NewReader(labels), &data.CSVOptions{
		Discrete:   []string{"ho_id", "ho_name", "tal_hemisphere", "tal_lobe", "tal_gyrus"},
		Continuous: []string{"nvox3mm"}})
	if err != nil {
		return nil, say.Errorf("%s: %w", labelFile, err)
	}
	return newPeople(t, l)
}

// newPeople joins signals and labels.
func newPeople(t, l *data.Table) (*people, error) {
	id, err := l.Column("ho_id")
	if err != nil {
		return nil, err
	}
	var named []int
	for row := range l.Rows() {
		if id.Text(row) != nameless {
			named = append(named, row)
		}
	}
	l = l.Select(named)
	h, err := hierarchy.FromLabels(l, &hierarchy.LabelOptions{Leaf: "ho_name",
		Levels: []string{"tal_hemisphere", "tal_lobe", "tal_gyrus"}})
	if err != nil {
		return nil, err
	}
	cells := func(t *data.Table, names ...string) (columns []data.Column, err error) {
		for _, name := range names {
			c, err := t.Column(name)
			if err != nil {
				return nil, err
			}
			columns = append(columns, c)
		}
		return columns, nil
	}
	label, err := cells(l, "ho_id", "ho_name", "nvox3mm")
	if err != nil {
		return nil, err
	}
	weights := make(map[string]float64)
	var regions []data.Column
	for row := range l.Rows() {
		c, err := t.Column("roi_" + label[0].Text(row))
		if err != nil {
			return nil, err
		}
		if c.Var.IsDiscrete() {
			return nil, say.Errorf("hierarchy: column %s is not numeric", c.Var.Name)
		}
		c.Var = bn.Continuous(label[1].Text(row))
		regions = append(regions, c)
		weights[c.Var.Name] = label[2].Values[row]
	}
	all, err := data.New(regions...)
	if err != nil {
		return nil, err
	}
	aggregated, err := h.Aggregate(all, hierarchy.WeightedMean,
		&hierarchy.AggregateOptions{Weights: weights})
	if err != nil {
		return nil, err
	}
	p := &people{hierarchy: h, notes: aggregated.Notes}
	who, err := cells(t, "file_id", "dx_group")
	if err != nil {
		return nil, err
	}
	if err := p.count(who[0], who[1]); err != nil {
		return nil, err
	}
	for _, name := range h.Names() {
		c, err := aggregated.Table.Column(name)
		if err != nil {
			return nil, err
		}
		p.signals = append(p.signals, p.standardise(c.Values))
	}
	return p, nil
}

// count finds the persons, whose rows stand together.
func (p *people) count(id, group data.Column) error {
	for row := range id.States {
		if row > 0 && id.States[row] == id.States[row-1] {
			continue
		}
		g := slices.Index([]string{"1", "2"}, group.Text(row))
		if g < 0 {
			return say.Errorf("hierarchy: row %d: dx_group is %s, not 1 or 2", row+1, group.Text(row))
		}
		p.groups = append(p.groups, g)
		if len(p.groups) == 2 {
			p.images = row
		}
	}
	if len(p.groups) < 2 || len(p.groups)*p.images != len(id.States) {
		return fmt.Errorf("hierarchy: %d rows for %d persons of %d images", len(id.States), len(p.groups), p.images)
	}
	return nil
}

// standardise makes each person's signal have mean 0 and variance 1; one that never changes becomes 0.
func (p *people) standardise(values []float64) []float64 {
	out := make([]float64, len(values))
	for i := range p.groups {
		lo, hi := i*p.images, (i+1)*p.images
		if slices.Min(values[lo:hi]) == slices.Max(values[lo:hi]) {
			p.constant++
			continue
		}
		mean, sd := stat.MeanStdDev(values[lo:hi], nil)
		for row := lo; row < hi; row++ {
			out[row] = (values[row] - mean) / sd
		}
	}
	return out
}

// classes are the series to learn from and to test on, as states by quantiles of the training persons.
type classes struct {
	vars        []bn.Variable
	train, test [2]*collection
}

// split divides the persons and makes states.
func (p *people) split(b Brain, job *run.Job) (*classes, error) {
	var train, test [2][]int
	for g := range classNames {
		var members []int
		for i, group := range p.groups {
			if group == g && (b.People == 0 || len(members) < b.People) {
				members = append(members, i)
			}
		}
		column, err := data.New(data.Column{Var: bn.Continuous("person"), Values: make([]float64, len(members))})
		if err != nil {
			return nil, err
		}
		in, out, err := column.Split("", b.Tests, job.Source(brainStream, g))
		if err != nil {
			return nil, err
		}
		for _, i := range in {
			train[g] = append(train[g], members[i])
		}
		for _, i := range out {
			test[g] = append(test[g], members[i])
		}
	}
	c := &classes{}
	for g := range classNames {
		c.train[g], c.test[g] = &collection{images: p.images}, &collection{images: p.images}
	}
	for v, name := range p.hierarchy.Names() {
		of := func(persons []int) []float64 {
			var values []float64
			for _, i := range persons {
				values = append(values, p.signals[v][i*p.images:(i+1)*p.images]...)
			}
			return values
		}
		fitted, err := discretise(name, b.States, append(of(train[0]), of(train[1])...))
		if err != nil {
			return nil, err
		}
		for g := range classNames {
			for _, part := range []struct {
				to   *collection
				from []int
			}{{c.train[g], train[g]}, {c.test[g], test[g]}} {
				t, err := data.New(data.Column{Var: bn.Continuous(name), Values: of(part.from)})
				if err != nil {
					return nil, err
				}
				if t, err = fitted.Apply(t); err != nil {
					return nil, err
				}
				part.to.columns = append(part.to.columns, t.Columns()[0].States)
			}
		}
		c.vars = append(c.vars, fitted.Variables()[0])
	}
	return c, nil
}

// discretise finds quantiles. States are numbered, the lowest first.
func discretise(name string, states int, values []float64) (*data.Discretization, error) {
	t, err := data.New(data.Column{Var: bn.Continuous(name), Values: values})
	if err != nil {
		return nil, err
	}
	return data.Quantiles{Column: name, Bins: states, Names: variables([]string{name}, states)[0].States}.Fit(t)
}

// A Setting is what the searches made of both classes under one score.
type Setting struct {
	Score string  // bde, acl or acl-symmetric
	Value float64 // equivalent sample size or penalty
	Found [2][]*found
	Right []float64 // by search: share of the held-out persons
}

// brainStudy is what was computed on the real data.
type brainStudy struct {
	*people
	classes  *classes
	searches []search
	settings []*Setting
	alone    []search // the searches on one goroutine
}

// A scoring is a score at one strength, and the pseudocount of a cell of the tables fitted under it.
type scoring struct {
	name   string
	value  float64
	score  func(other data.Source) structure.Score
	pseudo func(cells int) float64
}

// symmetric is the second reading of ACL, see [structure.ACL].
const symmetric = "acl-symmetric"

func (b Brain) scorings() []scoring {
	var list []scoring
	for _, size := range b.Sizes {
		list = append(list, scoring{"bde", size,
			func(data.Source) structure.Score { return structure.BDeu{EquivalentSampleSize: size} },
			worth(size)})
	}
	for _, name := range []string{"acl", symmetric} {
		for _, penalty := range b.Penalties {
			list = append(list, scoring{name, penalty, func(other data.Source) structure.Score {
				return structure.ACL{Other: other, Penalty: penalty, Symmetric: name == symmetric}
			}, func(int) float64 { return 1 }})
		}
	}
	return list
}

// learnBrain runs all searches under all scores.
func learnBrain(ctx context.Context, job *run.Job, c Config) (*brainStudy, error) {
	p, err := readPeople(ctx, job)
	if err != nil {
		return nil, err
	}
	s := &brainStudy{people: p}
	if s.classes, err = p.split(c.Brain, job); err != nil {
		return nil, err
	}
	s.searches, s.alone = newSearches(p.hierarchy, c, c.Brain.MaxParents, job.Seed, job.Workers),
		newSearches(p.hierarchy, c, c.Brain.MaxParents, job.Seed, 1)
	var pairs [2]*data.Table
	for g := range pairs {
		if pairs[g], err = s.classes.train[g].pairs(s.classes.vars); err != nil {
			return nil, err
		}
	}
	list := c.Brain.scorings()
	s.settings = make([]*Setting, len(list))
	for i, one := range list {
		s.settings[i] = &Setting{Score: one.name, Value: one.value, Right: make([]float64, len(s.searches))}
	}
	const step = "learn from real data"
	job.Step(step)
	done := 0
	var scorers [2]*structure.Scorer
	for i, one := range list {
		nets := [2][]*learned{}
		for g := range pairs {
			score := one.score(pairs[1-g])
			if i == 0 || one.name != list[i-1].name {
				scorers[g], err = structure.NewScorer(pairs[g], score, &structure.ScorerOptions{Workers: job.Workers})
			} else {
				scorers[g], err = scorers[g].With(score)
			}
			if err != nil {
				return nil, err
			}
			for _, how := range s.searches {
				f, err := how.run(ctx, scorers[g])
				if err != nil {
					return nil, say.Errorf("%s under %s %v, %s: %w", how.name, one.name, one.value, classNames[g], err)
				}
				s.settings[i].Found[g] = append(s.settings[i].Found[g], f)
				net, err := fit(ctx, scorers[g], f.graph, one.pseudo, nets[g]...)
				if err != nil {
					return nil, err
				}
				nets[g] = append(nets[g], net)
				done++
				job.Progress(step, done, 2*len(s.searches)*len(list))
			}
		}
		shares := make(map[share][]float64)
		for k := range s.searches {
			s.settings[i].Right[k] = accuracy(nets[0][k], nets[1][k], s.classes.test[0], s.classes.test[1], shares)
		}
	}
	return s, nil
}
