package viz_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/bnkit/viz"
)

// predictions are of 200 cases: the first learner's are right, the second's are too bold.
func predictions() (p [2][]float64, happened []bool) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		x := rng.NormFloat64()
		happened = append(happened, rng.Float64() < 1/(1+math.Exp(-x)))
		p[0] = append(p[0], 1/(1+math.Exp(-x)))
		p[1] = append(p[1], 1/(1+math.Exp(-3*x-rng.NormFloat64())))
	}
	return p, happened
}

func rocs() (*viz.Figure, error) {
	p, happened := predictions()
	var curves []*metric.ROCCurve
	for i, name := range []string{"monotone", "free"} {
		c, err := metric.ROC(p[i], happened, nil)
		if err != nil {
			return nil, err
		}
		c.Name = name
		curves = append(curves, c)
	}
	return viz.ROC(curves, &viz.Axes{Title: "200 simulated cases"})
}

func calibrations() (*viz.Figure, error) {
	p, happened := predictions()
	var curves []*metric.CalibrationCurve
	for i, name := range []string{"monotone", "free"} {
		c, err := metric.Calibration(p[i], happened, nil, &metric.CalibrationOptions{Bins: 5, Quantiles: i == 0})
		if err != nil {
			return nil, err
		}
		c.Name = name
		curves = append(curves, c)
	}
	return viz.Calibration(curves, nil)
}

func learningCurves() (*viz.Figure, error) {
	c := &validate.Curve{Sizes: []int{10, 20, 40, 80, 160, 320}, Event: "relapse=yes"}
	for i, name := range []string{"free", "monotone"} {
		l := validate.LearnerCurve{Name: name}
		for k, n := range c.Sizes {
			v := 0.8 - 1.2/math.Sqrt(float64(n)*float64(1+2*i)+6)
			s := validate.Spread{Mean: v, P05: v - 1/math.Sqrt(float64(n)+60), P50: v,
				P95: v + 1/math.Sqrt(float64(n)+150), N: 100}
			if k == 0 && i == 0 {
				s = validate.Spread{}
			}
			l.AUC = append(l.AUC, s)
		}
		c.Learners = append(c.Learners, l)
	}
	return viz.LearningCurve(c, validate.AUC, &viz.Axes{Title: "What knowledge is worth"})
}

// The pictures are those in testdata, as in TestPictures.
func TestValidationPictures(t *testing.T) {
	for _, p := range []struct {
		name string
		make func() (*viz.Figure, error)
		text string
	}{
		{"roc", rocs, "monotone, AUC 0.7"},
		{"calibration", calibrations, "free, Brier score 0.2"},
		{"learningcurve", learningCurves, "AUC of relapse=yes"},
	} {
		t.Run(p.name, func(t *testing.T) { checkGolden(t, p.name, p.make, p.text) })
	}
}

func TestValidationErrors(t *testing.T) {
	_, err := viz.ROC(nil, nil)
	wantError(t, err, "no ROC curves")
	_, err = viz.ROC([]*metric.ROCCurve{nil}, nil)
	wantError(t, err, "ROC curve 1 is nil")
	_, err = viz.ROC([]*metric.ROCCurve{{Name: "empty"}}, nil)
	wantError(t, err, `"empty, AUC 0.000" has no points`)
	_, err = viz.ROC([]*metric.ROCCurve{{Points: []metric.ROCPoint{{}, {TruePositive: 1, FalsePositive: 1}}}},
		&viz.Axes{XRange: [2]float64{2, 1}})
	wantError(t, err, "range of x")
	_, err = viz.Calibration(nil, nil)
	wantError(t, err, "no calibration curves")
	_, err = viz.Calibration([]*metric.CalibrationCurve{nil}, nil)
	wantError(t, err, "calibration curve 1 is nil")
	one := &metric.CalibrationCurve{Bins: []metric.CalibrationBin{{Mean: 0.5, Observed: 0.5, Lo: 0.2, Hi: 0.8,
		Cases: 4}}}
	_, err = viz.Calibration([]*metric.CalibrationCurve{one, one}, nil)
	wantError(t, err, "two calibration curves")
	_, err = viz.Calibration([]*metric.CalibrationCurve{{}}, nil)
	wantError(t, err, "no points")
	_, err = viz.LearningCurve(nil, validate.AUC, nil)
	wantError(t, err, "no learning curve")
	impossible := &validate.Curve{Sizes: []int{10}, Learners: []validate.LearnerCurve{{
		Name: "ML", LogScore: []validate.Spread{{Mean: math.Inf(-1), P05: math.Inf(-1), P50: -1, P95: 0, N: 9}},
		AUC: []validate.Spread{{}},
	}}}
	_, err = viz.LearningCurve(impossible, validate.LogScore, nil)
	wantError(t, err, `series "ML", point 1: y is -Inf`)
	_, err = viz.LearningCurve(impossible, validate.AUC, nil)
	wantError(t, err, `series "ML" has no points`)
}
