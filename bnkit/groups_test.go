package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
)

// clinics are waiting times in three clinics, of which north and south are alike.
func clinics() dataframe.DataFrame {
	var clinic, wait []string
	for _, c := range []struct {
		name        string
		short, long int
	}{{"north", 97, 43}, {"small", 20, 80}, {"south", 100, 40}} {
		for range c.short + c.long {
			clinic = append(clinic, c.name)
		}
		wait = append(wait, slices.Repeat([]string{"short"}, c.short)...)
		wait = append(wait, slices.Repeat([]string{"long"}, c.long)...)
	}
	return dataframe.New(series.New(clinic, series.String, "clinic"), series.New(wait, series.String, "wait"))
}

// The verbs see the cases, whatever the model was fitted under, and files keep them.
func TestGroups(t *testing.T) {
	df := clinics()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[clinic][wait|clinic]", df, nil))
	same := constraint.ShareAcross{Var: "wait"}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df,
		learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{same}},
		nil))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*bnkit.Model{m, must[*bnkit.Model](t)(bnkit.Load(path))} {
		statements, logBayes, err := bnkit.GroupAll(t.Context(), m, nil)
		want := "[P(clinic=north) = P(clinic=south) the distribution of wait is the same wherever clinic=north or " +
			"clinic=south, whatever the other parents]"
		if err != nil || fmt.Sprint(statements) != want || !(logBayes > 0) {
			t.Errorf("statements %v with %v, %v, want %s", statements, logBayes, err, want)
		}
	}
}

// The tables of north and south are nearly those of both together; a file keeps the method, an update goes on with it,
// and intervals are refused.
func TestAveragedSharing(t *testing.T) {
	df := clinics()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[clinic][wait|clinic]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.AveragedSharing{Of: []string{"wait"}}, nil))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	loaded := must[*bnkit.Model](t)(bnkit.Load(path))
	twice := must[*bnkit.Model](t)(bnkit.Update(t.Context(), loaded, df, &bnkit.UpdateSettings{Again: true}))
	both := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df.RBind(df), learn.AveragedSharing{Of: []string{"wait"}},
		nil))
	for i, p := range both.Net.CPT(1).P {
		if math.Abs(twice.Net.CPT(1).P[i]-p) > 1e-12 {
			t.Errorf("after an update %v, from all cases %v", twice.Net.CPT(1).P, both.Net.CPT(1).P)
		}
	}
	long := m.Net.CPT(1).P // of north, small, south; long first
	if d := math.Abs(long[0] - long[4]); !(d < 0.01) || long[2]-long[0] < 0.4 {
		t.Errorf("wait: %v", long)
	}
	_, err := bnkit.Intervals(t.Context(), m, "wait", &bnkit.IntervalSettings{Src: rand.NewPCG(1, 0)})
	if !errors.Is(err, bnkit.ErrNoIntervals) {
		t.Errorf("intervals: %v", err)
	}
}

func TestGroupsErrors(t *testing.T) {
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	em := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{Pseudocount: 1}, nil))
	all := func(m *bnkit.Model) error {
		_, _, err := bnkit.GroupAll(t.Context(), m, nil)
		return err
	}
	for _, tt := range []struct {
		name string
		err  error
		is   error
		says string
	}{
		{"no model", all(nil), nil, "no network"},
		{"not fitted", all(bnkit.ModelOf(net)), nil, "not fitted"},
		{"expected counts", all(em), nil, "expected counts"},
	} {
		if tt.err == nil || tt.is != nil && !errors.Is(tt.err, tt.is) || !strings.Contains(tt.err.Error(), tt.says) {
			t.Errorf("%s: error %v", tt.name, tt.err)
		}
	}
}

// What do the cases say is alike? The statements go to another fit.
func ExampleGroupAll() {
	df := clinics()
	net, err := bnkit.NewNetwork("[clinic][wait|clinic]", df, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := bnkit.Fit(context.Background(), net, df, learn.ML{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	shared, logBayesFactor, err := bnkit.GroupAll(context.Background(), model, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range shared {
		fmt.Println(s)
	}
	fmt.Printf("log Bayes factor %.1f\n", logBayesFactor)
	model, err = bnkit.Fit(context.Background(), net, df, learn.MAP{Pseudocount: 1, Constraints: shared}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("P(wait=long | clinic=north) = %.3f\n", model.Net.CPT(1).Row(0)[0])
	// Output:
	// P(clinic=north) = P(clinic=south)
	// the distribution of wait is the same wherever clinic=north or clinic=south, whatever the other parents
	// log Bayes factor 4.5
	// P(wait=long | clinic=north) = 0.299
}

// TestAuditOfSuggested: of eight faces, all different, states that look alike are grouped; the same cases do not test
// that, whatever way the statements take, and others do.
func TestAuditOfSuggested(t *testing.T) {
	faces := strings.Split("abcdefgh", "")
	net := must[*bn.Network](t)(bn.New("[X]", bn.Discrete("X", faces...)))
	copy(net.CPT(0).P, []float64{.05, .06, .08, .1, .13, .16, .2, .22})
	sample := func(seed uint64, rows int) dataframe.DataFrame {
		return bnkit.Frame(must[*data.Table](t)(data.Sample(net, rows, rand.NewPCG(seed, 0))))
	}
	train := sample(1, 400)
	free := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, train, learn.ML{}, nil))
	statements, _, err := bnkit.GroupAll(t.Context(), free, nil)
	if err != nil || len(statements) != 1 {
		t.Fatalf("%v, %v", statements, err)
	}
	file := &knowledge.File{Entries: []knowledge.Entry{{Statement: statements[0]}}}
	path := filepath.Join(t.TempDir(), "k.yaml")
	if err := file.Write(path); err != nil {
		t.Fatal(err)
	}
	file = must[*knowledge.File](t)(knowledge.Read(path))
	bound := constraint.AtMost{Var: "X", States: []string{"a"}, P: .5}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, train, learn.ML{
		Constraints: append(file.Statements(), bound)}, nil))
	path = filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	m = must[*bnkit.Model](t)(bnkit.Load(path))
	words := func(m *bnkit.Model, set *learn.AuditSettings) string {
		return must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), m, set)).Col("verdict").Elem(0).String()
	}
	if got := words(m, nil); !strings.HasPrefix(got, "not tested: these cases suggested it") {
		t.Errorf("the same cases: %s", got)
	}
	// The same rows with empty cells of another column, by EM.
	half := must[*bn.Network](t)(bn.New("[X][Y]", bn.Discrete("X", faces...), bn.Discrete("Y", "0", "1")))
	y := make([]string, train.Nrow())
	for i := range y {
		y[i] = []string{"0", "1", ""}[i%3]
	}
	em := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), half, train.Mutate(series.New(y, series.String, "Y")),
		learn.EM{Constraints: file.Statements()}, nil))
	if got := words(em, nil); !strings.HasPrefix(got, "not tested") {
		t.Errorf("the same cases by EM: %s", got)
	}
	other := must[*data.Table](t)(bnkit.Table(sample(2, 4000), map[string][]string{"X": faces}))
	if got := words(m, &learn.AuditSettings{HeldOut: other}); !strings.HasPrefix(got, "the data contradict it") {
		t.Errorf("held-out cases: %s", got)
	}
	again := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, sample(2, 4000), learn.ML{
		Constraints: file.Statements()}, nil))
	if got := words(again, nil); !strings.HasPrefix(got, "the data contradict it") {
		t.Errorf("other cases: %s", got)
	}
	same := must[*data.Table](t)(bnkit.Table(train, map[string][]string{"X": faces}))
	if _, err := bnkit.Audit(t.Context(), m, &learn.AuditSettings{HeldOut: same}); err == nil ||
		!strings.Contains(err.Error(), "give others") {
		t.Errorf("the same cases held out: %v", err)
	}
}
