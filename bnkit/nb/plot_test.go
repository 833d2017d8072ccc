package nb

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/viz"
)

// fittedLungs is a model of cases: smoke → lung → xray, and stage with three states.
func fittedLungs(t *testing.T) (*bnkit.Model, dataframe.DataFrame) {
	t.Helper()
	df := dataframe.ReadCSV(strings.NewReader("smoke,lung,xray,stage\n" + strings.Join(slices.Concat(
		slices.Repeat([]string{"no,healthy,clear,1"}, 30), slices.Repeat([]string{"yes,healthy,clear,2"}, 12),
		slices.Repeat([]string{"yes,ill,dark,3"}, 9), slices.Repeat([]string{"no,ill,dark,2"}, 3),
		slices.Repeat([]string{"yes,ill,clear,1"}, 2), slices.Repeat([]string{"no,healthy,dark,1"}, 4)), "\n")))
	df = df.Mutate(series.New(df.Col("stage").Records(), series.String, "stage"))
	net, err := bnkit.NewNetwork("[smoke][lung|smoke][xray|lung:smoke][stage|lung]", df, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bnkit.Fit(context.Background(), net, df, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, df
}

// rainy is who came with an umbrella, of two series.
var rainy = dataframe.ReadCSV(strings.NewReader("series,time,umbrella\nanna,1,yes\nanna,2,no\nben,1,no\nben,2,yes\n"))

// weather is rain that lasts, and umbrellas.
func weather(t *testing.T) *dbn.Network {
	t.Helper()
	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]string{"rain[0]": "no yes\n0.5 0.5",
		"rain[1]":     "rain[0] | no yes\nno | 0.7 0.3\nyes | 0.3 0.7",
		"umbrella[1]": "rain[1] | no yes\nno | 0.8 0.2\nyes | 0.1 0.9"} {
		if err := net.SetTable(name, table); err != nil {
			t.Fatal(err)
		}
	}
	return net
}

// Each verb's frame has its picture: the rows by name, the axis with what it is.
func TestPlot(t *testing.T) {
	m, df := fittedLungs(t)
	ctx := context.Background()
	set := &bnkit.IntervalSettings{Level: 0.9, Draws: 100, Src: rand.NewPCG(1, 0)}
	dark := infer.Evidence{"xray": "dark"}
	for _, tt := range []struct {
		name  string
		frame func() (dataframe.DataFrame, error)
		axes  *viz.Axes
		has   []string
		lacks []string
	}{
		{"posterior interval", func() (dataframe.DataFrame, error) {
			return bnkit.PosteriorInterval(ctx, m, dark, set, "lung", "stage")
		}, nil, []string{"lung = ill", "stage = 1", "stage = 3", "its 90 % credible interval"}, []string{"lung = " +
			"healthy"}},
		{"predict interval", func() (dataframe.DataFrame, error) {
			return bnkit.PredictInterval(ctx, m, df, "lung", set)
		}, nil, []string{"row 20", "P(lung = ill), with its 90 % credible interval", "first 20 of 60 rows"},
			[]string{"row 21"}},
		{"predict interval of three", func() (dataframe.DataFrame, error) {
			return bnkit.PredictInterval(ctx, m, df.Subset([]int{0, 40}), "stage", set)
		}, nil, []string{"row 2", ">stage = 1<", ">stage = 2<", ">stage = 3<", "90 %"}, []string{"row 3"}},
		{"sensitivity", func() (dataframe.DataFrame, error) {
			return bnkit.Sensitivity(ctx, m, dark, "lung", "ill", &bnkit.SensitivitySettings{Intervals: set})
		}, &viz.Axes{X: "P(lung = ill | xray = dark)"}, []string{"P(lung=ill | smoke=yes)",
			"P(lung = ill | xray = dark)", "P(xray=dark | lung=ill, smoke=no)"}, []string{"P(lung=healthy"}},
		{"sensitivity by 10 %", func() (dataframe.DataFrame, error) {
			return bnkit.Sensitivity(ctx, m, dark, "lung", "ill", nil)
		}, nil, []string{"P(lung=ill | smoke=yes)", "P(lung=healthy | smoke=yes)"}, nil}, // these are no mirror images
		{"variance shares", func() (dataframe.DataFrame, error) {
			return bnkit.VarianceShares(ctx, m, dark, "lung", "ill", set)
		}, nil, []string{"lung | smoke=yes", "share of the variance"}, nil},
		{"what matters", func() (dataframe.DataFrame, error) {
			return bnkit.WhatMatters(m, nil, "lung", nil)
		}, &viz.Axes{X: "P(lung = ill)"}, []string{"information on the target (nats)", "P(lung = ill)", ">smoke<"},
			[]string{"cost"}},
		{"what matters by cost", func() (dataframe.DataFrame, error) {
			return bnkit.WhatMatters(m, nil, "lung", &bnkit.WhatMattersSettings{Costs: map[string]float64{"xray": 3}})
		}, nil, []string{"per unit of cost (nats)", "P(target)"}, nil},
		{"impacts", func() (dataframe.DataFrame, error) {
			return bnkit.Impacts(m, infer.Evidence{"xray": "dark", "smoke": "no"}, "lung", "ill")
		}, nil, []string{"without smoke = no", "without xray = dark"}, []string{"without  ="}},
		{"elicit", func() (dataframe.DataFrame, error) { return bnkit.Elicit(ctx, m, nil, nil) }, nil,
			[]string{"higher states of smoke make higher states of lung", "millinats a case"}, nil},
		{"effect", func() (dataframe.DataFrame, error) {
			return bnkit.Effect(ctx, m, "lung", "xray", &bnkit.EffectSettings{Intervals: set})
		}, &viz.Axes{Y: "lung"}, []string{"as seen", "its 90 % credible interval", "P(outcome = dark)", ">ill<",
			">lung<"}, nil},
		{"effect on three states", func() (dataframe.DataFrame, error) {
			return bnkit.Effect(ctx, m, "smoke", "stage", nil)
		}, nil, []string{"yes: 3", "no: 1", "P(outcome)", "under intervention"}, []string{"credible"}},
		{"posterior", func() (dataframe.DataFrame, error) { return bnkit.Posterior(m, dark, "lung", "stage") }, nil,
			[]string{"lung = ill", "stage = 2", ">probability<"}, []string{"healthy", "credible"}},
		{"counterfactual", func() (dataframe.DataFrame, error) {
			return bnkit.Counterfactual(m.Net, nil, "smoke", bn.Set("stage", "1"))
		}, nil, []string{"as it is", "as it would have been", ">yes<"}, nil},
		{"series", func() (dataframe.DataFrame, error) { return bnkit.SmoothSeries(weather(t), rainy) },
			&viz.Axes{X: "day"}, []string{"anna: rain = yes", "ben: rain = yes", ">day<"}, []string{"rain = no"}},
		{"one series", func() (dataframe.DataFrame, error) {
			return bnkit.PredictSeries(weather(t), rainy.Subset([]int{0, 1}), 2, "rain")
		}, nil, []string{">rain = yes<", ">time<"}, []string{"anna"}},
		{"series of numbers", func() (dataframe.DataFrame, error) {
			net, err := dbn.New("[level|level[t-1]]", bn.Continuous("level"))
			if err != nil {
				return dataframe.DataFrame{}, err
			}
			return bnkit.SmoothSeries(net, rainy, "level")
		}, nil, []string{">anna: level<", ">ben: level<", ">time<", "mean ± standard deviation"}, []string{"rain"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			frame, err := tt.frame()
			if err != nil {
				t.Fatal(err)
			}
			f, err := Plot(frame, tt.axes)
			if err != nil {
				t.Fatal(err)
			}
			svg, err := f.SVG()
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.has {
				if !strings.Contains(string(svg), want) {
					t.Errorf("the picture lacks %q", want)
				}
			}
			for _, not := range tt.lacks {
				if strings.Contains(string(svg), not) {
					t.Errorf("the picture has %q", not)
				}
			}
		})
	}
}

func TestPlotErrors(t *testing.T) {
	m, _ := fittedLungs(t)
	joint, err := bnkit.Joint(m, nil, "lung", "smoke")
	if err != nil {
		t.Fatal(err)
	}
	matters, err := bnkit.WhatMatters(m, nil, "lung", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		frame dataframe.DataFrame
		axes  *viz.Axes
		want  string
	}{
		{joint, nil, "no verb that Plot knows returns the columns lung, smoke, probability"},
		{matters.Filter(dataframe.F{Colname: "variable", Comparator: series.Eq, Comparando: "none"}), nil, "no rows"},
		{joint.Select([]string{"none"}), nil, "carries an error"},
		{matters, &viz.Axes{LogX: true}, "linear"},
	} {
		if _, err := Plot(tt.frame, tt.axes); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// Bars are drawn of the targets alone, and what is known of others stands in their nodes; soft findings are told
// from observations.
func TestTargets(t *testing.T) {
	m, _ := fittedLungs(t)
	svg := func(f *viz.Figure, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	got := svg(Targets(m, []string{"lung"}, nil, infer.Evidence{"xray": "dark",
		"stage": infer.Likelihood{"1": 0.25, "2": 0.5, "3": 1}, "smoke": infer.Distribution{"no": 0.75, "yes": 0.25}}))
	for _, want := range []string{">ill<", "= dark", "likelihood 0.25 : 0.5 : 1", "set to 0.75 : 0.25", ">observed<",
		">soft finding<", ">with 3 findings<", "stroke-dasharray"} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if strings.Contains(got, ">clear<") {
		t.Error("states of a variable that is no target")
	}
	got = svg(Network(m, infer.Evidence{"stage": infer.AtLeast("2")}))
	for _, want := range []string{">ill<", "≥2", ">soft finding<"} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if strings.Contains(got, ">observed<") {
		t.Error("a legend of what is not drawn")
	}
	for want, targets := range map[string][]string{"no target": nil, `"none"`: {"none"}} {
		if _, err := Targets(m, targets); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("targets %q: %v", targets, err)
		}
	}
}
