package learn_test

import (
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// smoker is a network of cough given smokes.
func smoker(t *testing.T) *bn.Network {
	t.Helper()
	net, err := bn.New("[smokes][cough|smokes]", bn.Discrete("smokes", "no", "yes"), bn.Discrete("cough", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// By hand: with the joint probabilities .375, .375, .05, .2 and size 4, cases (1, 2) of smokes and (1, 0), (0, 2) of
// cough. The prior has the other arc.
func TestPriorNetwork(t *testing.T) {
	net := smoker(t)
	prior, err := bn.New("[cough][smokes|cough]", bn.Discrete("smokes", "no", "yes"), bn.Discrete("cough", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range [][2]string{{"cough", "no yes\n0.425 0.575"}, {"smokes", "cough | no yes\n" +
		"no | 0.88235294117647056 0.11764705882352941\nyes | 0.65217391304347827 0.34782608695652173"}} {
		if err := prior.SetTable(table[0], table[1]); err != nil {
			t.Fatal(err)
		}
	}
	alpha, err := learn.PriorNetwork(net, prior, 4)
	if err != nil {
		t.Fatal(err)
	}
	c, err := learn.Compile(net, learn.PosteriorMean{Alpha: alpha})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Fit(&data.Counts{N: []float64{1, 2, 1, 0, 0, 2}, Rows: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{4. / 7, 3. / 7} {
		numtest.Close(t, r.Net.CPT(0).P[i], want, 1e-12, 0)
	}
	for i, want := range []float64{2.5 / 4, 1.5 / 4, 0.2 / 3, 2.8 / 3} {
		numtest.Close(t, r.Net.CPT(1).P[i], want, 1e-12, 0)
	}
}

// Errors say what and what to do.
func TestPriorNetworkErrors(t *testing.T) {
	net := smoker(t)
	zero := net.Clone()
	if err := zero.SetTable("smokes", "no yes\n1 0"); err != nil {
		t.Fatal(err)
	}
	other, err := bn.New("[smokes][cough]", bn.Discrete("smokes", "yes", "no"), bn.Discrete("cough", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	missing, err := bn.New("[cough]", bn.Discrete("cough", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		prior *bn.Network
		size  float64
		want  string
	}{
		{net, 0, "must be positive"}, {zero, 1, "excludes"}, {other, 1, "in one order"}, {missing, 1, `"smokes"`},
		{nil, 1, "no network"},
	} {
		if _, err := learn.PriorNetwork(net, test.prior, test.size); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.want, err)
		}
	}
}
