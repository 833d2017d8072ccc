package data_test

import (
	"bytes"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

func TestForSpreadsheet(t *testing.T) {
	for text, quoted := range map[string]bool{
		"=1+1": true, "=HYPERLINK(\"http://x\")": true, "+A1": true, "-A1": true, "@SUM(A1)": true, "\t=1": true,
		"＝1+1":  true,
		"-none": true, "=-1": true, "--1": true, "+-1": true, "-1.5e": true,
		"": false, "-": false, "+": false, "=": false, "a=b": false, "1-2": false, "yes": false, "'=1": false,
		"é":    false,
		"-1.5": false, "+3": false, "-1e-5": false, "-1,5": false, "-5 %": false, "+1 000": false, "-$5.00": false,
		"-Inf": false,
	} {
		want := text
		if quoted {
			want = "'" + text
		}
		if got := data.ForSpreadsheet(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWriteCSVForSpreadsheet(t *testing.T) {
	table, err := data.New(
		data.Column{Var: bn.Discrete("=a", "-1", "@b", "no"), States: []bn.State{0, 1, 2}},
		data.Column{Var: bn.Continuous("x"), Values: []float64{-1.5, 2, -3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		change []func(string) string
		want   string
	}{
		{nil, "=a,x\n-1,-1.5\n@b,2\nno,-3\n"},
		{[]func(string) string{data.ForSpreadsheet}, "'=a,x\n-1,-1.5\n'@b,2\nno,-3\n"},
		{[]func(string) string{data.ForSpreadsheet, strings.ToUpper}, "'=A,X\n-1,-1.5\n'@B,2\nNO,-3\n"},
	} {
		var b bytes.Buffer
		if err := table.WriteCSV(&b, test.change...); err != nil || b.String() != test.want {
			t.Errorf("%q, %v, want %q", b.String(), err, test.want)
		}
	}
}
