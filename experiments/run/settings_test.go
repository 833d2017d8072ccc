package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

type sizes struct {
	Replicates int
	Sizes      []int
	Brain      struct{ Share float64 }
	Names      []string
	Exact      bool
	Growth     map[string]int // which nobody can type
}

// ownSizes is an experiment that hands its configuration on.
type ownSizes struct{ got *sizes }

func (ownSizes) Info() run.Info { return run.Info{ID: "own", Title: "Own settings"} }
func (ownSizes) Config(p run.Profile) any {
	return sizesFor(p)
}
func (e ownSizes) Run(_ context.Context, job *run.Job) (err error) {
	*e.got, err = run.Configured(job, sizesFor)
	_ = e.got.Sizes[1] // as the tables of a paper need some sizes
	job.NumberNear(run.Statement{Claim: "a mean", Source: "N06", Data: run.Simulated, Prediction: run.PredictUnknown},
		1, 1, 0.1)
	return err
}

func sizesFor(p run.Profile) sizes {
	s := sizes{Replicates: 1000, Sizes: []int{10, 100}, Growth: map[string]int{"a": 1}}
	if p == run.Quick {
		s.Replicates = 10
	}
	return s
}

func TestSettings(t *testing.T) {
	var got sizes
	o := options(t.TempDir())
	o.Settings = map[string]string{"replicates": "50", "Sizes": "5,20,40", "brain.share": "0.25", "names": "iris",
		"exact": "true"}
	r, claims, err := run.Execute(t.Context(), ownSizes{&got}, o)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"Replicates":50,"Sizes":[5,20,40],"Brain":{"Share":0.25},"Names":["iris"],"Exact":true,"Growth":{"a":1}}`
	if strings.Join(strings.Fields(string(r.Config)), "") != want {
		t.Errorf("run.json has %s, want %s", r.Config, want)
	}
	if got.Replicates != 50 || len(got.Sizes) != 3 || got.Brain.Share != 0.25 || !got.Exact {
		t.Errorf("the experiment has %+v", got)
	}
	if r.Profile != run.Own || claims[0].Holds != run.NotJudged {
		t.Errorf("profile %s, and a number is judged %q", r.Profile, claims[0].Holds)
	}
	o.Profile, o.Settings = run.Quick, map[string]string{"exact": "true"}
	if _, _, err := run.Execute(t.Context(), ownSizes{&got}, o); err != nil || got.Replicates != 10 || !got.Exact {
		t.Errorf("settings on top of the profile quick: %+v, %v", got, err)
	}
}

func TestBadSettings(t *testing.T) {
	for name, want := range map[string]string{
		"size=5":        `there is no setting "size"; there are: replicates (1000), sizes (10,100), brain.share (0), `,
		"growth=5":      `there is no setting "growth"`,
		"sizes=5,x":     "-sizes 5,x: not a whole number",
		"brain.share=x": "-brain.share x: not a number",
		"exact=maybe":   "neither true nor false",
		"sizes=5":       "its tables and claims cannot be made with these settings (runtime error: index out of range",
	} {
		name, value, _ := strings.Cut(name, "=")
		o := options(t.TempDir())
		o.Settings = map[string]string{name: value}
		if _, _, err := run.Execute(t.Context(), ownSizes{new(sizes)}, o); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s=%s: %v, want %s", name, value, err, want)
		}
	}
}

// A null in run.json is no zero.
func TestRecordWithNull(t *testing.T) {
	for text, says := range map[string]string{
		`{"id": "fake", "seconds": null}`:                              "seconds: null stands where a number is wanted",
		`{"id": "fake", "steps": [{"seconds": 1}, {"seconds": null}]}`: "steps[1].seconds: null",
		`{"id": "fake", "measured": {"means": ["a", null]}}`:           `measured["means"][1]: null`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := run.Load(dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
