package nb

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/viz"
)

// lungs is P(ill) = 0.1, P(dark | healthy) = 0.05, P(dark | ill) = 0.9.
func lungs(t *testing.T) *bn.Network {
	t.Helper()
	net, err := bn.New("[lung][xray|lung]", bn.Discrete("lung", "healthy", "ill"), bn.Discrete("xray", "clear", "dark"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"lung": "healthy ill\n0.9 0.1",
		"xray": "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.1 0.9"} {
		if err := net.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return net
}

func TestBeliefs(t *testing.T) {
	net := lungs(t)
	b, err := beliefsOf("after", net, infer.Evidence{"xray": "dark"})
	if err != nil {
		t.Fatal(err)
	}
	want := 0.1 * 0.9 / (0.1*0.9 + 0.9*0.05)
	if b.Name != "after" || b.Evidence["xray"] != "dark" || math.Abs(b.P["lung"][1]-want) > 1e-15 || len(b.P) != 2 {
		t.Errorf("beliefs %+v, want P(ill) = %v", b, want)
	}
}

// The pictures carry the probabilities, and the evidence in their legends.
func TestNetwork(t *testing.T) {
	net := lungs(t)
	for _, tt := range []struct {
		name     string
		evidence []infer.Evidence
		has      string // texts of the picture
		lacks    string
	}{
		{"marginals", nil, "0.900 0.100 0.865 0.135", "evidence"},
		{"no evidence", []infer.Evidence{nil}, "0.900 0.100 0.865 0.135", "evidence"},
		{"evidence", []infer.Evidence{{"xray": "dark"}}, "0.333 0.667", "xray=dark"},
		{"both", []infer.Evidence{nil, {"xray": "dark"}}, "evidence xray=dark 0.900 0.100 0.333 0.667", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Network(net, tt.evidence...)
			if err != nil {
				t.Fatal(err)
			}
			svg, err := f.SVG()
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range strings.Fields(tt.has) {
				if !strings.Contains(string(svg), word) {
					t.Errorf("the picture lacks %q", word)
				}
			}
			if tt.lacks != "" && strings.Contains(string(svg), tt.lacks) {
				t.Errorf("the picture has %q", tt.lacks)
			}
		})
	}
}

func TestNetworkErrors(t *testing.T) {
	net := lungs(t)
	if err := net.SetTable("lung", "healthy ill\n1 0"); err != nil {
		t.Fatal(err)
	}
	if _, err := Network(nil); err == nil || !strings.Contains(err.Error(), "nb: there is no network") {
		t.Errorf("without a network: %v", err)
	}
	for _, tt := range []struct {
		evidence infer.Evidence
		want     error
	}{
		{infer.Evidence{"heart": "weak"}, bn.ErrUnknownVariable},
		{infer.Evidence{"lung": "weak"}, bn.ErrUnknownState},
		{infer.Evidence{"lung": "ill"}, infer.ErrImpossibleEvidence},
	} {
		if _, err := Network(net, nil, tt.evidence); !errors.Is(err, tt.want) {
			t.Errorf("%v: %v, want %v", tt.evidence, err, tt.want)
		}
	}
}

// A model is drawn as its network is, and observed values may stand as in the data, here in
// nb and in viz.
func TestNetworkOfModel(t *testing.T) {
	lung, xray := bn.Discrete("lung", "healthy", "ill"), bn.Discrete("xray", "clear", "dark")
	xray.Encoding = knowledge.Variable{Name: "xray", States: xray.States, Column: "grey", From: []float64{0.5}}
	net, err := bn.New("[lung][xray|lung]", lung, xray)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(net.SetTable("lung", "healthy ill\n0.9 0.1"),
		net.SetTable("xray", "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.1 0.9")); err != nil {
		t.Fatal(err)
	}
	raw, state := infer.Evidence{"grey": "0.7"}, infer.Evidence{"xray": "dark"}
	want, err := beliefsOf("", net, state)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []bn.Model{net, bnkit.ModelOf(net)} {
		b, err := beliefsOf("", m, raw)
		if err != nil || b.Evidence["xray"] != "dark" || math.Abs(b.P["lung"][1]-want.P["lung"][1]) > 1e-15 {
			t.Errorf("%T: beliefs %+v, %v; want %+v", m, b, err, want)
		}
		b.Evidence = bn.Given{"grey": "0.7"}
		if _, err := viz.Network(m, &viz.NetworkOptions{Beliefs: []viz.Beliefs{b}}); err != nil {
			t.Errorf("%T: a drawing of raw evidence: %v", m, err)
		}
		if _, err := Network(m, nil, raw); err != nil {
			t.Errorf("%T: %v", m, err)
		}
		if _, err := CPT(m, "xray"); err != nil {
			t.Errorf("%T: its table: %v", m, err)
		}
		if _, err := beliefsOf("", m, infer.Evidence{"grey": "dark"}); err == nil ||
			!strings.Contains(err.Error(), "grey=dark") {
			t.Errorf("%T: a value that is none: %v", m, err)
		}
	}
	var none *bnkit.Model
	for _, m := range []bn.Model{nil, none, (*bn.Network)(nil)} {
		if _, err := Network(m); err == nil || !strings.Contains(err.Error(), "no network") {
			t.Errorf("%T: %v", m, err)
		}
		if _, err := viz.Network(m, nil); err == nil {
			t.Errorf("%T is drawn", m)
		}
		if _, err := CPT(m, "xray"); err == nil {
			t.Errorf("%T has a table", m)
		}
	}
}
