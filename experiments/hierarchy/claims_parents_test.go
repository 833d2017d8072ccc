package hierarchy

import (
	"strings"
	"testing"
)

// known accuracies at the fixed c and paired differences of accuracy decide whether anything can be told.
func TestPowerless(t *testing.T) {
	panel := func(differences ...float64) *Panel {
		p := &Panel{X: []float64{0.005}, Outcomes: [][][]outcome{make([][]outcome, 3)}}
		for _, d := range differences {
			p.Outcomes[0][0] = append(p.Outcomes[0][0], outcome{Accuracy: 0.5})
			p.Outcomes[0][2] = append(p.Outcomes[0][2], outcome{Accuracy: 0.5 + d})
		}
		return p
	}
	for _, tt := range []struct {
		known float64
		p     *Panel
		told  bool
	}{
		{0.52, panel(0, 0.2, -0.2, 0.1), false}, // 2 % above chance, differences of a third could be seen
		{0.9, panel(0.01, 0.02, 0.03, 0.02), true},
	} {
		v := view{judge{flat: 0, pw: 2}, &Study{Config: Config{Change: 0.005}, Panels: []*Panel{iid: tt.p},
			Known: [][]known{{{1, tt.known}, {1, tt.known}}}}}
		why := v.powerless(tt.p)
		if (why == "") != tt.told || !tt.told && !strings.Contains(why, "0.520") {
			t.Errorf("known %v: %q", tt.known, why)
		}
	}
}

// The setting is chosen by both numbers of parents: 1 and 0.3, of which the first cell has one only.
func TestChoose(t *testing.T) {
	cell := func(arity, length int, flatParents, pwParents float64) *Cell {
		return &Cell{Arity: arity, Length: length, Outcomes: [][]outcome{{{Parents: flatParents}}, {{}},
			{{Parents: pwParents, Accuracy: 1}}}}
	}
	r := &Results{Searches: []string{flat, rfw, pw},
		Sensitivity: []*Cell{cell(4, 150, 1, 0.82), cell(4, 400, 1.08, 0.38), cell(5, 400, 2, 0.3)}}
	if arity, length := r.choose(); arity != 4 || length != 400 {
		t.Errorf("arity %d, %d images", arity, length)
	}
}
