package viz_test

import (
	"fmt"
	"image/color"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

// loglog has small numbers, a band and a whisker that reach 0.
func loglog() (*viz.Figure, error) {
	x := []float64{30, 60, 120}
	return viz.Curves([]viz.Series{
		{Name: "EM", X: x, Y: []float64{1e-7, 1e-5, 2e-3}, Lo: []float64{0, 1e-6, 1e-3},
			Hi: []float64{1e-6, 1e-4, 1e-2}},
		{Name: "published", X: x, Y: []float64{1e-3, 1e-4, 2e-3}, Points: true, Lo: []float64{0, 1e-6, 1e-3},
			Hi: []float64{1e-2, 1e-3, 1e-2}},
	}, &viz.Axes{X: "cases", LogX: true, LogY: true, Y: "violation", Width: 4, Height: 3})
}

// slanted has names too long for their places, a title of two lines, negative values.
func slanted() (*viz.Figure, error) {
	var groups []string
	var values, errs []float64
	for i := range 12 {
		groups = append(groups, fmt.Sprintf("breast cancer, no-recurrence-events %d", i+1))
		values, errs = append(values, float64(i)-4), append(errs, 1.5)
	}
	return viz.Bars(groups, []viz.BarSeries{{Values: values, StdErr: errs}}, &viz.Axes{
		Title: "A title so long that one line of the picture does not hold it, as titles that explain tend to be",
		Y:     "difference (nats)",
	})
}

// timecourse has six curves of a hundred points with bands that overlap, and a long legend.
func timecourse() (*viz.Figure, error) {
	series := make([]viz.Series, 6)
	for k := range series {
		s := viz.Series{Name: fmt.Sprintf("start %d, from random tables", k+1)}
		for i := range 100 {
			y := 0.05*float64(k+1) + 2*math.Exp(-float64(i)/float64(10+5*k))
			s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, y)
			s.Lo, s.Hi = append(s.Lo, 0.8*y), append(s.Hi, 1.2*y)
		}
		series[k] = s
	}
	return viz.Curves(series, &viz.Axes{Title: "Violation while learning", X: "iteration", Y: "violation", LogX: true,
		LogY: true})
}

func gardenNet() (*bn.Network, error) {
	net, err := bn.New("[rain][sprinkler|rain][grass|sprinkler:rain][temperature|rain][growth|temperature:grass:rain]",
		bn.Discrete("rain", "no", "yes"), bn.Discrete("sprinkler", "off", "on"), bn.Discrete("grass", "dry", "wet"),
		bn.Continuous("temperature"), bn.Continuous("growth"))
	if err != nil {
		return nil, err
	}
	return net, net.SetTable("grass", `
		sprinkler rain | dry    wet
		off       no   | 0.9997 0.0003
		off       yes  | 0.2    0.8
		on        no   | 0.1    0.9
		on        yes  | 0      1`)
}

func sprinkler() (*viz.Figure, error) {
	net, err := gardenNet()
	if err != nil {
		return nil, err
	}
	return viz.Network(net, nil)
}

// horizontal uses every option, and letters outside ASCII.
func horizontal() (*viz.Figure, error) {
	net, err := gardenNet()
	if err != nil {
		return nil, err
	}
	return viz.Network(net, &viz.NetworkOptions{
		Title: "Grass → growth | rain ≤ 3 × x², Δθ in a café", Horizontal: true, ShowStates: true,
		Shaded: []string{"rain"}, Colors: map[string]color.Color{"growth": viz.Color(0)},
		ArcLabels: map[[2]string]string{{"rain", "grass"}: "+", {"rain", "growth"}: "−0.25"},
	})
}

// alarmModel is the ALARM network (Beinlich et al. 1989), 37 variables and 46 arcs.
const alarmModel = "[HISTORY|LVFAILURE][CVP|LVEDVOLUME][PCWP|LVEDVOLUME][HYPOVOLEMIA]" +
	"[LVEDVOLUME|HYPOVOLEMIA:LVFAILURE]" +
	"[LVFAILURE][STROKEVOLUME|HYPOVOLEMIA:LVFAILURE][ERRLOWOUTPUT][HRBP|ERRLOWOUTPUT:HR]" +
	"[HREKG|ERRCAUTER:HR][ERRCAUTER]" +
	"[HRSAT|ERRCAUTER:HR][INSUFFANESTH][ANAPHYLAXIS][TPR|ANAPHYLAXIS][EXPCO2|ARTCO2:VENTLUNG][KINKEDTUBE]" +
	"[MINVOL|INTUBATION:VENTLUNG][FIO2][PVSAT|FIO2:VENTALV][SAO2|PVSAT:SHUNT][PAP|PULMEMBOLUS][PULMEMBOLUS]" +
	"[SHUNT|INTUBATION:PULMEMBOLUS][INTUBATION][PRESS|INTUBATION:KINKEDTUBE:VENTTUBE][DISCONNECT][MINVOLSET]" +
	"[VENTMACH|MINVOLSET][VENTTUBE|DISCONNECT:VENTMACH][VENTLUNG|INTUBATION:KINKEDTUBE:VENTTUBE]" +
	"[VENTALV|INTUBATION:VENTLUNG][ARTCO2|VENTALV][CATECHOL|ARTCO2:INSUFFANESTH:SAO2:TPR][HR|CATECHOL]" +
	"[CO|HR:STROKEVOLUME][BP|CO:TPR]"

func alarm() (*viz.Figure, error) {
	g, err := bn.ParseDAG(alarmModel)
	if err != nil {
		return nil, err
	}
	return viz.Graph(g, &viz.NetworkOptions{Title: "ALARM"})
}

func table() (*viz.Figure, error) {
	net, err := gardenNet()
	if err != nil {
		return nil, err
	}
	t, err := net.Table("grass")
	if err != nil {
		return nil, err
	}
	share := "P(wet) is the same with rain alone and with the sprinkler alone"
	return viz.CPT(t, &viz.CPTOptions{
		Counts:     []float64{1000, 0, 12, 48.5, 1, 9, 0, 0},
		Statements: [][]string{nil, {share}, {share, "rain makes wet grass more likely"}, nil},
	})
}

// intervals has bars below the probabilities, one of no width and one away from its entry.
func intervals() (*viz.Figure, error) {
	net, err := gardenNet()
	if err != nil {
		return nil, err
	}
	t, err := net.Table("grass")
	if err != nil {
		return nil, err
	}
	return viz.CPT(t, &viz.CPTOptions{
		Note:       "bars: 95 % credible intervals; Markov chains: R-hat 1.00, as good as 1876 independent draws",
		Counts:     []float64{1000, 0, 12, 48.5, 1, 9, 0, 0},
		Lo:         []float64{0.996, 0, 0.11, 0.69, 0.02, 0.6, 0.02, 1},
		Hi:         []float64{1, 0.004, 0.31, 0.89, 0.4, 0.98, 0.4, 1},
		Statements: [][]string{nil, {"rain makes wet grass more likely"}, nil, nil},
	})
}

// bound has statements that bind one row each.
func bound() (*viz.Figure, error) {
	net, err := gardenNet()
	if err != nil {
		return nil, err
	}
	return viz.CPT(net.CPT(1), &viz.CPTOptions{Title: "The sprinkler",
		Statements: [][]string{nil, {"P(on | rain=yes) is at most P(on | rain=no)"}}})
}

// cutTable has more rows and states than are shown.
func cutTable() (*viz.Figure, error) {
	t, err := bn.NewCPT(bn.Discrete("severity", "none", "very mild", "mild", "moderate", "severe"),
		bn.Discrete("age", "young", "middle", "old"), bn.Discrete("stage", "I", "II", "III"))
	if err != nil {
		return nil, err
	}
	return viz.CPT(t, &viz.CPTOptions{MaxRows: 3, MaxStates: 3})
}

func row() (*viz.Figure, error) {
	left, err := sprinkler()
	if err != nil {
		return nil, err
	}
	right, err := table()
	if err != nil {
		return nil, err
	}
	return viz.Row(left, right)
}
