package noisyor

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/datasets"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

//go:embed domains/*.yaml
var knowledgeFiles embed.FS

// A Domain is one of the eleven of Y13 §5.
type Domain struct {
	source
	Knowledge *knowledge.File
	Net       *bn.Network // with uniform tables
	Target    string
	// Cases are all rows that belong to the domain, in the states of Net. It is nil where the
	// data cannot be had.
	Cases *data.Table
	Notes []string // what the data lack
	// Missing says why there are no Cases, in the words of package datasets.
	Missing error

	sha256 string
}

// Name is that of the domain, as in "breast".
func (d *Domain) Name() string { return d.name }

// Domains reads the knowledge of the domains named, of all for no name, and the data of those
// that can be had.
func Domains(ctx context.Context, names ...string) ([]*Domain, error) {
	wanted := make(map[string]bool)
	for _, name := range names {
		wanted[name] = true
	}
	var list []*Domain
	for _, s := range sources() {
		if len(names) > 0 && !wanted[s.name] {
			continue
		}
		delete(wanted, s.name)
		d, err := s.domain(ctx)
		if err != nil {
			return nil, say.Errorf("noisyor: domain %s: %w", s.name, err)
		}
		list = append(list, d)
	}
	for name := range wanted {
		return nil, say.Errorf("noisyor: no domain is called %q", name)
	}
	return list, nil
}

// domain reads knowledge and data.
func (s source) domain(ctx context.Context) (*Domain, error) {
	name := "domains/" + s.name + ".yaml"
	b, err := knowledgeFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	d := &Domain{source: s}
	if d.Knowledge, err = knowledge.Parse(name, b); err != nil {
		return nil, err
	}
	if d.Net, err = d.Knowledge.Network(); err != nil {
		return nil, err
	}
	d.Target = d.Net.Variable(d.Net.Len() - 1).Name
	df, sum, err := s.load(ctx)
	if errors.Is(err, datasets.ErrNotAvailable) {
		d.Missing = err
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	d.sha256 = sum
	df, d.Notes, err = bnkit.Encode(df, d.Knowledge)
	if err != nil {
		return nil, err
	}
	d.Cases, err = bnkit.Table(df, data.StatesOf(d.Net.Variables()...))
	return d, err
}

// draw returns the rows of one draw: some at random in the domains that take a part of their
// data, otherwise all. Rows keep their order.
func (d *Domain) draw(rng *rand.Rand) *data.Table {
	if d.drawn == 0 || d.drawn >= d.Cases.Rows() {
		return d.Cases
	}
	rows := rng.Perm(d.Cases.Rows())[:d.drawn]
	slices.Sort(rows)
	return d.Cases.Select(rows)
}

// Uses tells a job which data the domain has.
func (d *Domain) Uses(job *run.Job) { job.UsesData(d.set, d.sha256) }

// available are the domains whose data can be had; the job is told which data are used, and
// the user which domains are left out.
func available(job *run.Job, all []*Domain) []*Domain {
	var list []*Domain
	var lacking []string
	for _, d := range all {
		if d.Missing != nil {
			lacking = append(lacking, d.name)
			job.LacksData(d.Missing)
			continue
		}
		d.Uses(job)
		list = append(list, d)
	}
	if len(lacking) > 0 {
		job.Progress("left out (set BNLAB_DATA to include them): "+strings.Join(lacking, ", ")+"; domains", len(list),
			len(all))
	}
	return list
}

// why says in a line that there are no data.
func (d *Domain) why() string {
	return fmt.Sprintf("the data set %s is not available; set BNLAB_DATA", d.set)
}
