package bnkit

import (
	"cmp"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
)

// A provenance is what a model remembers of its fit beside its Result; [Methods] puts it into words. What is not
// known is zero.
type provenance struct {
	Version string `json:"bnlab"` // of the module that made the fit
	Go      string `json:"go"`
	Date    string `json:"date"` // of the fit, in UTC
	// Estimator is the type of the method in package learn, as "MAP".
	Estimator string `json:"estimator,omitempty"`
	BurnIn    int    `json:"burn_in,omitempty"` // sweeps of Gibbs sampling
	Sweeps    int    `json:"sweeps,omitempty"`  // after them
	// Structure says how the graph was learned from the cases; empty when it was given.
	Structure string `json:"structure,omitempty"`
	// Rows of the data, Incomplete of them with a missing cell; Missing are these cells by variable. Rows is 0 for
	// cases that stayed in a database.
	Rows       int            `json:"rows,omitempty"`
	Incomplete int            `json:"incomplete_rows,omitempty"`
	Missing    map[string]int `json:"missing,omitempty"`
	// LeftOut: a row was left out of the counts of the tables in which it has a missing cell.
	LeftOut    bool         `json:"left_out,omitempty"`
	HeldOut    int          `json:"held_out_rows,omitempty"` // for early stopping
	Weight     string       `json:"weight,omitempty"`        // column of weights
	Intervened string       `json:"intervened,omitempty"`    // column of what was set
	Fading     float64      `json:"fading,omitempty"`        // at the last update; 0 for none
	Sources    []sourceNote `json:"sources,omitempty"`       // of statements in a knowledge file
}

// A sourceNote is who states a statement, and how sure they are.
type sourceNote struct {
	Statement string  `json:"statement"`
	Source    string  `json:"source,omitempty"`
	Mark      string  `json:"mark,omitempty"`
	Strength  float64 `json:"strength,omitempty"` // 0 for none given
}

// remember records a fit by a method; t is nil for cases that are not in memory.
func (s *Settings) remember(t *data.Table, m learn.Method) *provenance {
	p := &provenance{Version: version(), Go: runtime.Version(), Date: today(), Estimator: typeName(m),
		LeftOut: s.SkipMissing && !learn.Iterates(m), Weight: s.Weight, Intervened: s.Intervened}
	if g, ok := methodAs[learn.Gibbs](m); ok {
		p.BurnIn, p.Sweeps = g.Chain()
	}
	if s.HeldOut != nil {
		p.HeldOut = s.HeldOut.Nrow()
	}
	if s.Knowledge != nil {
		p.Sources = sourcesOf(s.Knowledge)
	}
	p.count(t)
	return p
}

// count adds the rows of a table and their gaps.
func (p *provenance) count(t *data.Table) {
	if t == nil {
		return
	}
	p.Rows += t.Rows()
	if t.IsComplete() {
		return
	}
	gap := make([]bool, t.Rows())
	for _, c := range t.Columns() {
		for row := range gap {
			if c.IsMissing(row) {
				if p.Missing == nil {
					p.Missing = make(map[string]int)
				}
				p.Missing[c.Var.Name]++
				gap[row] = true
			}
		}
	}
	for _, is := range gap {
		if is {
			p.Incomplete++
		}
	}
}

// updated is the provenance of an update with the rows of a table.
func (p *provenance) updated(t *data.Table, set *UpdateSettings) *provenance {
	if p == nil {
		return nil
	}
	u := *p
	u.Version, u.Go, u.Date = version(), runtime.Version(), today()
	u.LeftOut = u.LeftOut || set.SkipMissing
	if set.Fading > 0 && set.Fading < 1 {
		u.Fading = set.Fading
	}
	u.Weight, u.Intervened = cmp.Or(u.Weight, set.Weight), cmp.Or(u.Intervened, set.Intervened)
	u.Missing = nil
	for name, n := range p.Missing {
		if u.Missing == nil {
			u.Missing = make(map[string]int)
		}
		u.Missing[name] = n
	}
	u.count(t)
	return &u
}

func sourcesOf(k *knowledge.File) []sourceNote {
	var list []sourceNote
	for _, e := range k.Entries {
		if e.Statement != nil && (e.Source != "" || e.Mark != "" || e.Strength != 0) {
			list = append(list, sourceNote{e.Statement.String(), e.Source, e.Mark, e.Strength})
		}
	}
	return list
}

// of returns the note on a statement.
func (p *provenance) of(statement string) (sourceNote, bool) {
	if p != nil {
		for _, s := range p.Sources {
			if s.Statement == statement {
				return s, true
			}
		}
	}
	return sourceNote{}, false
}

// methodAs is a method of one type, or what a pointer to one points at.
func methodAs[T learn.Method](m learn.Method) (T, bool) {
	switch m := any(m).(type) {
	case T:
		return m, true
	case *T:
		return *m, true
	}
	var none T
	return none, false
}

// typeName is the name of a method's type.
func typeName(m learn.Method) string {
	t := reflect.TypeOf(m)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// version is that of bnlab in this program, "(devel)" for one built from a checkout: in its module, in a workspace or
// by a replacement with a folder, beside which go.mod has any version.
var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return devel
	}
	return versionOf(info)
})

func versionOf(info *debug.BuildInfo) string {
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == "bnlab" {
			if m.Replace != nil {
				m = m.Replace
			}
			return cmp.Or(m.Version, devel)
		}
	}
	return devel
}

const devel = "(devel)"

// today is the date, or that of the environment variable SOURCE_DATE_EPOCH, in seconds since 1970, by which files that
// must not differ from day to day are made (reproducible-builds.org).
func today() string {
	at := time.Now()
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		at = time.Unix(seconds, 0)
	}
	return at.UTC().Format(time.DateOnly)
}
