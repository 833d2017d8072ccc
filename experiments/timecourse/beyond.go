package timecourse

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/experiments/noisyor"
	"bnlab/experiments/run"
)

// W00 Table 1 proposes "similar tests using larger networks and/or empirically collected data", and "similar
// definitions for other types of qualitative constraints". Three studies do so: a network of twenty variables, five
// of them hidden; the census data of UCI, in which a person's position is hidden; and the first structure of the
// paper with synergies of what raises the load, that hold in the truths, at a price.

// streamBeyond is the first of a stream for each of the studies, streamBeyondTruth for each of their tables.
const (
	streamBeyond = 10 * (iota + 1)
	streamBeyondTruth
)

// A venture is one of these studies.
type venture struct {
	study
	methods []method
	missing error // why there are no results
}

// Names of the ventures, and of methods with synergies.
const (
	largeName    = "large"
	censusName   = "census"
	synergyName  = "load, synergies"
	softSynergy  = "em-soft, synergies too"
	softAlone    = "em-soft, influences only"
	exactSynergy = "em-exact, synergies too"
)

// dear is the weight of violations where synergies have a price: between the 2 of the paper, which leaves
// violations, and those from which on nothing is violated.
const dear = 8

// largeStructure has twenty variables: five conditions, five hidden ones in two layers, and ten that are observed.
func largeStructure() (structure, error) {
	three := []string{"1", "2", "3"}
	var vars []bn.Variable
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		vars = append(vars, bn.Discrete(name, "1", "2"))
	}
	for i := range 5 {
		vars = append(vars, bn.Discrete(fmt.Sprintf("H%d", i+1), three...))
	}
	for i := range 10 {
		vars = append(vars, bn.Discrete(fmt.Sprintf("X%d", i+1), three...))
	}
	net, err := bn.New("[A][B][C][D][E][H1|A:B][H2|B:C][H3|H1:D][H4|H2:E][H5|H3:H4][X1|H1][X2|H1:C][X3|H2]"+
		"[X4|H2][X5|H3][X6|H3:A][X7|H4][X8|H4][X9|H5][X10|H5]", vars...)
	s := structure{name: largeName, net: net, hidden: []string{"H1", "H2", "H3", "H4", "H5"}, criterion: "X9",
		trainCases: 500, testCases: 2000}
	for _, arc := range [][2]string{{"A", "H1"}, {"B", "H1"}, {"B", "H2"}, {"C", "H2"}, {"H1", "H3"}, {"D", "H3"},
		{"H2", "H4"}, {"E", "H4"}, {"H3", "H5"}, {"H4", "H5"}, {"H1", "X1"}, {"H2", "X3"}, {"H3", "X5"}, {"H4", "X7"},
		{"H5", "X9"}} {
		s.influences = append(s.influences, constraint.Influence{Parent: arc[0], Child: arc[1]})
	}
	return s, err
}

// censusStructure is about the census data as experiment noisyor has them: a person's position, which nobody
// records, rises with age, education and hours; the higher it is, the likelier are a high income and a post with
// the state or one's own firm.
func censusStructure() (structure, error) {
	net, err := bn.New("[age][education][hours][sex][position|age:education:hours][income|position:sex]"+
		"[workclass|position:age]",
		bn.Discrete("age", "below 40", "40 and over"), bn.Discrete("education", "below 13", "13 and over"),
		bn.Discrete("hours", "40 or fewer", "more than 40"), bn.Discrete("sex", "Female", "Male"),
		bn.Discrete("position", "low", "middle", "high"),
		bn.Discrete("income", "<=50K", ">50K"), bn.Discrete("workclass", "other", "government or incorporated"))
	s := structure{name: censusName, net: net, hidden: []string{"position"}, criterion: "income", trainCases: 200}
	for _, arc := range [][2]string{{"age", "position"}, {"education", "position"}, {"hours", "position"},
		{"position", "income"}, {"position", "workclass"}} {
		s.influences = append(s.influences, constraint.Influence{Parent: arc[0], Child: arc[1]})
	}
	return s, err
}

// synergyStructure is that of the load with synergies of each two of its causes.
func synergyStructure() (structure, error) {
	s, err := loadStructure()
	s.name, s.trainCases, s.testCases = synergyName, 200, 5000
	s.also = []constraint.Constraint{constraint.Synergy{Parents: []string{"Mode", "Steps", "SecondaryTask"},
		Child: "Load"}}
	return s, err
}

// ventures lays out the studies.
func ventures(c Config) ([]*venture, error) {
	all := []struct {
		of    func() (structure, error)
		sets  int
		names []string
	}{
		{largeStructure, c.Beyond.Large, []string{plainEM, hybridA, hybridB, exactEM}},
		{censusStructure, c.Beyond.Census, []string{plainEM, hybridA, hybridB, exactEM}},
		{synergyStructure, c.Beyond.Synergies, []string{exactEM}},
	}
	var list []*venture
	for _, one := range all {
		s, err := one.of()
		if err != nil {
			return nil, err
		}
		v := &venture{study: study{structure: s, subjects: make([]*subject, one.sets)}}
		if v.maximum, err = s.bound(); err != nil {
			return nil, err
		}
		for _, m := range methods() {
			for _, name := range one.names {
				if m.name == name {
					v.methods = append(v.methods, m)
				}
			}
		}
		if len(s.also) > 0 {
			v.methods = append(v.methods, method{softAlone, soft(dear), likelihood},
				method{softSynergy, together(soft(dear), s.also), likelihood},
				method{exactSynergy, together(exact, s.also), likelihood})
		}
		v.outcomes = make([][][]*outcome, len(v.methods))
		for m := range v.outcomes {
			v.outcomes[m] = make([][]*outcome, one.sets)
		}
		list = append(list, v)
	}
	return list, nil
}

// beyond runs the studies.
func beyond(ctx context.Context, job *run.Job, c Config) ([]*venture, error) {
	list, err := ventures(c)
	if err != nil {
		return nil, err
	}
	for i, v := range list {
		draw, err := v.draw(ctx, job, i)
		if err != nil {
			return nil, err
		}
		if v.missing != nil {
			continue
		}
		err = job.Replicates(ctx, v.name, len(v.subjects), func(set int, _ *rand.PCG) error {
			b, err := draw(set, c.Beyond.Starts, job.Source(uint32(streamBeyond+i), set))
			if err != nil {
				return err
			}
			v.subjects[set] = b
			for m, one := range v.methods {
				for start := range c.Beyond.Starts {
					o, err := b.run(ctx, one.of(v.statements()), b.from(start, c.Iterations), one.score,
						func(int) bool { return false })
					if err != nil {
						return err
					}
					v.outcomes[m][set] = append(v.outcomes[m][set], o)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// draw returns what makes the subject of a set: cases from a truth, or rows of the census.
func (v *venture) draw(ctx context.Context, job *run.Job, at int) (func(set, starts int, src rand.Source) (*subject,
	error), error) {
	if v.name == censusName {
		cases, err := v.census(ctx, job)
		if err != nil || v.missing != nil {
			return nil, err
		}
		return func(set, starts int, src rand.Source) (*subject, error) {
			return v.rows(cases, set, starts, src)
		}, nil
	}
	truths, err := v.truths(ctx, len(v.subjects), func(table int) rand.Source {
		return job.Source(streamBeyondTruth+uint32(at), table)
	})
	return func(set, starts int, src rand.Source) (*subject, error) {
		return newSubject(v.structure, set+1, truths[set], starts, src)
	}, err
}

// census reads the rows, in an order drawn at random.
func (v *venture) census(ctx context.Context, job *run.Job) (*data.Table, error) {
	domains, err := noisyor.Domains(ctx, censusName)
	if err != nil {
		return nil, err
	}
	d := domains[0]
	if v.missing = d.Missing; v.missing != nil {
		job.LacksData(v.missing)
		return nil, nil
	}
	job.UsesData("census-income", d.Cases.Hash())
	cases, err := d.Cases.Keep("age", "education", "hours", "sex", "income", "workclass")
	if err != nil {
		return nil, err
	}
	order := rand.New(job.Source(streamBeyondTruth, 0)).Perm(cases.Rows())
	if most := len(order) / 2; v.trainCases*len(v.subjects) > most {
		return nil, fmt.Errorf("timecourse: %d sets of %d rows leave fewer than half of %d to test on", len(v.subjects),
			v.trainCases, len(order))
	}
	return cases.Select(order), nil
}

// rows makes a subject of rows that no other set trains on, tested on those that none does. There is no truth, so
// its distance from one is 0.
func (v *venture) rows(cases *data.Table, set, starts int, src rand.Source) (*subject, error) {
	b := &subject{structure: v.structure, set: set + 1}
	part := func(from, to int) (*data.Table, *infer.Plan, error) {
		var rows []int
		for row := from; row < to; row++ {
			rows = append(rows, row)
		}
		t := cases.Select(rows).Distinct()
		plan, err := infer.NewPlan(b.net, t, &infer.Options{Workers: 1})
		return t, plan, err
	}
	var err error
	if _, b.train, err = part(set*v.trainCases, (set+1)*v.trainCases); err != nil {
		return nil, err
	}
	if b.distinct, b.test, err = part(len(v.subjects)*v.trainCases, cases.Rows()); err != nil {
		return nil, err
	}
	rng := rand.New(src)
	for range starts {
		b.starts = append(b.starts, v.random(rng))
	}
	b.seed = rng.Uint64()
	b.causes, err = b.onlyCauses()
	return b, err
}
