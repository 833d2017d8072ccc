package structure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/logs"
	"bnlab/internal/absent"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// A Bootstrap holds the settings of the nonparametric bootstrap (Friedman, Goldszmidt and Wyner 1999, §2):
// each replicate draws as many cases as there are, with replacement.
type Bootstrap struct {
	Replicates int    // 0 means 200
	Seed       uint64 // replicate i is drawn by rand.NewPCG(Seed, i), which in a database gives the hash of keys
	// AsFound counts arcs as the search found them. Otherwise those of the graph's Markov equivalence
	// class are counted ([bn.DAG.CPDAG]), an undirected one half in either direction: cases cannot
	// determine it, and a search that breaks ties by a rule would look certain. Rules that require,
	// forbid or put in tiers determine directions too; with them arcs are counted as found.
	AsFound bool
}

// Strengths holds how often arcs were found in replicates of the cases.
type Strengths struct {
	Variables  []bn.Variable
	Replicates int        // that were finished: the others are not counted
	Planned    int        // that were asked for; more than Replicates when it was interrupted
	Score      string     // in words
	Search     string     // in words
	AsFound    bool       // arcs were counted as found, not those of the equivalence class
	Notes      []string   // what the user should know: constant columns, rare states
	halves     [][]uint32 // by parent and child: replicates with the arc, twice, or with a line, once
	lines      [][]uint32 // by pair, in either order: replicates with an arc without a direction
}

// An ArcStrength is the bootstrap strength of an arc, the share of the replicates in which it was found.
type ArcStrength struct {
	Arc
	// Strength is the share of the replicates in which the two variables are joined by an arc of
	// either direction.
	Strength float64
	// Direction is the share of these in which the arc points from From to To; 0 when there are
	// none. Undirected arcs count half.
	Direction float64
}

// ArcStrengths learns a graph from each of many bootstrap replicates of the cases and counts its
// arcs: how often a search finds an arc. How probable the arc is, given a prior of graphs, is in package posterior.
// Replicates draw the source's distinct rows with multinomial weights, so a million rows with
// a thousand distinct ones cost as much as a thousand. From a source with weights it draws as many
// cases as the weights sum to, rounded. Replicates run on all processors, and the result does not
// depend on the number. The first error of a replicate's search is returned. When the context is
// done, its error is returned with the strengths over the replicates finished by then, if any. A
// [HillClimb] with restarts has a stream of its own in each replicate, drawn from its Source
// beforehand; without a Source it is [bn.ErrNoSource]. Other errors are those of [Learn].
//
// A database whose Key is named (sqldata.Options) draws the replicates itself, by a Poisson number for each row that
// depends on Seed, the replicate and the row's key, so that no rows are fetched: all replicates are counted together,
// in as many rounds as the longest search has; a round of more than 128 MiB of counts is divided by replicates. They
// wait for each other, so that the searches of all are in memory at once, of which Workers compute. They differ in
// size, by 1/√k of the rows for k keys, which a note says when it is more than a tenth; one that is empty is an error,
// [data.ErrNoRows]. What needs rows, such as [HillClimb] with a Sample, is an error; without the Key it is none.
func ArcStrengths(ctx context.Context, src data.Source, score Score, how Search, boot Bootstrap,
	set *Settings) (*Strengths, error) {
	if set == nil {
		set = &Settings{}
	}
	n := boot.Replicates
	if n == 0 {
		n = 200
	}
	switch {
	case n < 0:
		return nil, fmt.Errorf("structure: %d replicates; give a positive number, or 0 for 200", n)
	case absent.Is(src):
		return nil, errors.New("structure: no cases; give a *data.Table or another data.Source")
	case score == nil || how == nil:
		return nil, errors.New("structure: arc strengths need a score and a search, such as structure.BIC{} and " +
			"structure.HillClimb{}")
	}
	draw, err := boot.from(ctx, src, n, set.Workers)
	if err != nil {
		return nil, say.Errorf("structure: %w", err)
	}
	scorer, err := scorerFor(draw.cases, score, set)
	if err != nil {
		return nil, err
	}
	notes, err := scorer.notes(context.WithoutCancel(ctx), nil, rareInBootstrap)
	if err != nil {
		return nil, err
	}
	if draw.together != nil {
		if note := draw.together.varies(src.TotalWeight()); note != "" {
			notes = append(notes, note)
		}
	}
	s := &Strengths{Variables: src.Variables(), Planned: n, Score: score.String(), Search: how.String(),
		Notes: notes}
	r := set.Rules
	s.AsFound = boot.AsFound || intervened(src) || r != nil && len(r.Required)+len(r.Forbidden)+len(r.Tiers) > 0
	s.halves, s.lines = square(len(s.Variables)), square(len(s.Variables))
	inner := *set
	inner.Workers, inner.Progress = 1, nil
	searches := slices.Repeat([]Search{how}, n)
	if random, ok := how.(divisible); ok {
		searches = random.divide(n)
	}
	errs := make([]error, n)
	var mutex sync.Mutex
	far := follow(set.Progress)
	pool.Each(n, draw.workers(n, set.Workers), func(i int) {
		g, err := draw.learn(ctx, i, score, searches[i], &inner)
		mutex.Lock()
		defer mutex.Unlock()
		if errs[i] = err; err != nil {
			return
		}
		s.add(g)
		s.Replicates++
		far.report(Progress{Done: float64(s.Replicates) / float64(n), Score: g.Score, What: "replicates"})
	})
	var interrupted error
	var round *roundError
	for i, err := range errs {
		switch {
		case err == nil:
		case isDone(ctx, err):
			interrupted = ctx.Err()
		case errors.As(err, &round):
			return nil, round
		default:
			return nil, say.Errorf("replicate %d: %w", i+1, err)
		}
	}
	if interrupted == nil {
		return s, nil
	}
	far.interrupted()
	if s.Replicates == 0 {
		return nil, say.Errorf("structure: before the first replicate was finished: %w", interrupted)
	}
	return s, interrupted
}

// A divisible search draws from one stream of random numbers, and can be divided into n, each with a
// stream of its own, that may run at the same time.
type divisible interface {
	divide(n int) []Search
}

// A drawer draws replicates of the cases: of the distinct rows in memory, or in a database.
type drawer struct {
	seed     uint64
	cases    data.Source
	distinct *data.Table
	logs     *logs.Tables // of the rows in memory: replicates of them are of the same size and share the tables
	together *together
}

// from prepares n replicates of a source.
func (b Bootstrap) from(ctx context.Context, src data.Source, n, workers int) (*drawer, error) {
	d := &drawer{seed: b.Seed, cases: src}
	var err error
	if d.together, err = newTogether(ctx, src, n, b.Seed, pool.Workers(workers)); d.together != nil || err != nil {
		return d, err
	}
	if d.distinct, err = src.DistinctRows(ctx); err != nil {
		return nil, err
	}
	d.cases = d.distinct
	d.logs = logs.New(int(min(d.distinct.TotalWeight()+0.5, logs.Tabled)))
	return d, nil
}

// workers is how many replicates are begun at once: all that are counted together, since they wait for each other.
func (d *drawer) workers(n, setting int) int {
	if d.together != nil {
		return n
	}
	return pool.Workers(setting)
}

// learn learns a graph from one replicate of the cases.
func (d *drawer) learn(ctx context.Context, i int, score Score, how Search, set *Settings) (*Result, error) {
	var src data.Source
	if d.together != nil {
		d.together.begun()
		defer d.together.ended(ctx)
		src = replicate{d.together, i}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if src == nil {
		t, err := resample(d.distinct, rand.NewPCG(d.seed, uint64(i)))
		if err != nil {
			return nil, err
		}
		src = t
	}
	s, err := scorerOnce(src, score, set)
	if err != nil {
		return nil, err
	}
	if s.logs != nil {
		s.logs = d.logs
	}
	s.own.none = true // searches of replicates keep scores
	return learnFrom(ctx, s, how, set)
}

// mostDrawn bounds the cases of a replicate, so that each counts in the sum of their weights.
const mostDrawn = 1 << 50

// resample draws as many cases as the table's weights add up to, with replacement: of each row in turn
// a binomial number out of the cases that are left to draw. Rows that were not drawn are left out.
func resample(t *data.Table, src rand.Source) (*data.Table, error) {
	weights := t.Weights()
	if weights == nil {
		weights = make([]float64, t.Rows())
		for i := range weights {
			weights[i] = 1
		}
	}
	behind := make([]float64, len(weights)+1) // weight of the rows from here on
	for i := len(weights) - 1; i >= 0; i-- {
		behind[i] = behind[i+1] + weights[i]
	}
	left := math.Floor(behind[0] + 0.5)
	switch {
	case !(left >= 1):
		return nil, say.Errorf("structure: %w to draw from: their weight is %v", data.ErrNoRows, behind[0])
	case left > mostDrawn:
		return nil, say.Errorf("structure: the weights add up to %v cases, and at most %v are drawn; give weights in "+
			"larger units", behind[0], float64(mostDrawn))
	}
	var rows []int
	var drawn []float64
	for i, w := range weights {
		if left == 0 {
			break
		}
		if w == 0 {
			continue
		}
		times := left
		if behind[i+1] > 0 {
			times = distuv.Binomial{N: left, P: w / behind[i], Src: src}.Rand()
		}
		if times > 0 {
			rows, drawn = append(rows, i), append(drawn, times)
			left -= times
		}
	}
	return t.Select(rows).WithWeights(drawn)
}

// add counts the arcs of a graph over the same variables.
func (s *Strengths) add(r *Result) {
	var class *bn.CPDAG
	if !s.AsFound {
		class = r.DAG.CPDAG()
	}
	for child := range r.DAG.Len() { // numbered as the variables are
		for _, p := range r.DAG.Parents(child) {
			if class == nil || class.IsDirected(p, child) {
				s.halves[p][child] += 2
			} else {
				s.halves[p][child]++
				s.halves[child][p]++
				s.lines[p][child]++
				s.lines[child][p]++
			}
		}
	}
}

// square returns n rows of n zeros.
func square(n int) [][]uint32 {
	rows := make([][]uint32, n)
	for i := range rows {
		rows[i] = make([]uint32, n)
	}
	return rows
}

// Of returns the strength of the arc between two variables by number.
func (s *Strengths) Of(from, to int) ArcStrength {
	arc := ArcStrength{Arc: Arc{s.Variables[from].Name, s.Variables[to].Name}}
	if there, back := s.halves[from][to], s.halves[to][from]; there+back > 0 {
		arc.Strength = float64(there+back) / float64(2*s.Replicates)
		arc.Direction = float64(there) / float64(there+back)
	}
	return arc
}

// StdErr is the standard error of the strength of an arc, which is a share of the replicates; of a share of 0 or 1 it
// is that of one replicate more that differs.
func (s *Strengths) StdErr(a ArcStrength) float64 {
	n := float64(s.Replicates)
	p := max(1/(n+1), min(a.Strength, n/(n+1)))
	return math.Sqrt(p * (1 - p) / n)
}

// Arcs returns a line for each pair of variables that was joined in any replicate, in the direction
// that was found more often (of equals from the earlier variable), the strongest first.
func (s *Strengths) Arcs() []ArcStrength {
	var arcs []ArcStrength
	for _, a := range s.ordered() {
		arcs = append(arcs, s.Of(a[0], a[1]))
	}
	return arcs
}

// ordered are the joined pairs, each in its more frequent direction, by strength, then by direction, then
// by the order of the variables.
func (s *Strengths) ordered() [][2]int {
	var pairs [][2]int
	for u := range s.Variables {
		for v := u + 1; v < len(s.Variables); v++ {
			switch there, back := s.halves[u][v], s.halves[v][u]; {
			case there+back == 0:
			case there >= back:
				pairs = append(pairs, [2]int{u, v})
			default:
				pairs = append(pairs, [2]int{v, u})
			}
		}
	}
	joined := func(a [2]int) uint32 { return s.halves[a[0]][a[1]] + s.halves[a[1]][a[0]] }
	slices.SortStableFunc(pairs, func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(joined(b), joined(a)), cmp.Compare(s.halves[b[0]][b[1]], s.halves[a[0]][a[1]]))
	})
	return pairs
}

// String prints a line for each arc.
func (s *Strengths) String() string {
	var b strings.Builder
	counted := "arcs of the equivalence class"
	if s.AsFound {
		counted = "arcs as found"
	}
	replicates := fmt.Sprintf("%d replicates", s.Replicates)
	if s.Planned > s.Replicates {
		replicates = fmt.Sprintf("%d of %d replicates (interrupted)", s.Replicates, s.Planned)
	}
	fmt.Fprintf(&b, "%s in %s, %s, %s\n", counted, replicates, s.Score, s.Search)
	for _, a := range s.Arcs() {
		fmt.Fprintf(&b, "  %s: strength %.3f, direction %.3f\n", a.Arc, a.Strength, a.Direction)
	}
	for _, note := range s.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}
