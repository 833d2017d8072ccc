package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNotebooks compares each marked number and sentence of the notebooks, and of README, with figures/.
func TestNotebooks(t *testing.T) {
	files, err := filepath.Glob("../../[0-9][0-9]-*.ipynb")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d notebooks, %v", len(files), err)
	}
	marked := 0
	for _, file := range append(files, "../../../README.md") {
		said, err := checkFile(file, "../../../figures", false)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range said {
			t.Errorf("%s: %s; go run ./notebooks/internal/prose -update writes numbers anew", filepath.Base(file), s)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := len(marker.FindAll(raw, -1))
		t.Logf("%s: %d marked", filepath.Base(file), n)
		marked += n
	}
	if marked == 0 {
		t.Error("no notebook has a marked number")
	}
}

const table = `size,who,kl
5,"a, b",0.125
5,free,0.5
10,"a, b",0.0625
10,free,n/a
20,free,1234.5
`

// folder writes the table to figures/x/t.csv and returns figures.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x", "t.csv"), []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMarkers has each kind of marker, right and wrong; the numbers are by hand from the table above.
func TestMarkers(t *testing.T) {
	tables := tables{figures: folder(t), folder: "x", read: map[string][][]string{}, outputs: printedByCells(t)}
	for _, c := range []struct{ text, updated, says string }{
		{`0.50<!--= t[size=5,who=free].kl -->`, ``, ``},
		{`0.51<!--= t[size=5,who=free].kl -->`, `0.50<!--= t[size=5,who=free].kl -->`, `says 0.51, the tables say 0.50`},
		{`25<!--=100 * t[size=5,who="a, b"].kl / t[size=5,who=free].kl--> %`, ``, ``},
		{`−2<!--=log(t[size=5,who="a, b"].kl) - -0.08-->`, ``, ``},
		{`1,234.5<!--=x/t[size=20].kl-->`, ``, ``},
		{`Two<!--=count(t[who="a, b"].kl < 1)-->`, ``, ``},
		{`Three<!--=count(t[who="a, b"].kl < 0.1)-->`, `One<!--=count(t[who="a, b"].kl < 0.1)-->`, `say One`},
		{`9<!--=10000 * mean(t[size<=10,who!=free].kl)-->`, `938<!--=10000 * mean(t[size<=10,who!=free].kl)-->`, `say 938`},
		{`less<!--check:t[size=5,who="a, b"].kl < t[size=5,who=free].kl <= 0.5, 1 < 2-->`, ``, ``},
		{`less<!--check:t[who="a, b"].kl < 0.1-->`, ``, `does not hold (comparison 1 of 2)`},
		{`so<!--check:1 < 2, 2 < 1-->`, ``, `does not hold (comparison 2 of 2)`},
		{`less<!--=t[size=5,who=free].kl-->`, ``, `"less" is no number`},
		{`: <!--=t[size=5,who=free].kl-->`, ``, `no number before it`},
		{"so\n<!--check: 1 < 2 -->", ``, `begins a line`},
		{`2<!--= 1 --1 -->`, ``, `two hyphens`},
		{`2<!--= 2*1 -->`, ``, `star without spaces`},
		{`1<!--=t[size=5].kl-->`, ``, `2 values, want one`},
		{`1<!--=t[size=7].kl-->`, ``, `no row of`},
		{`1<!--=t[size=10].kl-->`, ``, `"n/a", not a number`},
		{`1<!--=t[size=5].lk-->`, ``, `has size, who, kl`},
		{`1<!--=u[size=5].kl-->`, ``, `u.csv`},
		{`1<!--=t[size].kl-->`, ``, `write column=value`},
		{`1<!--=t[who!=free].kl + t[size>0,size!=10].kl-->`, ``, `2 cells against 3`},
		{`1<!--=foo(1)-->`, ``, `cannot read`},
		{`1<!--=(1-->`, ``, `no )`},
		{`1<!--=1 2-->`, ``, `cannot read "2"`},
		{`1<!--=1/0-->`, ``, `the value is +Inf`},
		{`0.25 and<!--check: shown("yes | do | ") < shown("yes | do | ", 2)-->`, ``, ``},
		{`−1,234.5<!--= shown("informed") -->`, ``, ``},
		{`1<!--= shown("told: ") -->`, `1<!--= shown("told: ") -->`, `no cell has printed "told: "`},
		{`1<!--= shown("do") -->`, ``, `have printed "do" 2 times`},
		{`1<!--= shown("last", 2) -->`, ``, `no number 2 behind "last"`},
	} {
		_, said := tables.check(c.text, false, false)
		if all := strings.Join(said, "\n"); (c.says == "") != (all == "") || !strings.Contains(all, c.says) {
			t.Errorf("%s says %q, want %q", c.text, all, c.says)
		}
		want := c.text
		if c.updated != "" {
			want = c.updated
		}
		if got, _ := tables.check(c.text, false, true); got != want {
			t.Errorf("%s is updated to %s, want %s", c.text, got, want)
		}
	}
}

// TestUpdate changes the number in a notebook, and not a byte besides.
func TestUpdate(t *testing.T) {
	figures := folder(t)
	path := filepath.Join(t.TempDir(), "01-x.ipynb")
	cell := `{"cell_type": "markdown", "source": ["is 0.3<!--=t[size=5,who=\"a, b\"].kl-->."]}`
	code := `{"cell_type": "code",   "source": ["0.3"], "outputs": [{"text": "0.3 é"}]}`
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(`{"cells": [` + cell + `,` + code + `]}` + "\n")
	said, err := checkFile(path, figures, true)
	if err != nil || len(said) > 0 {
		t.Fatal(said, err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"cells": [` + strings.Replace(cell, "0.3", "0.1", 1) + `,` + code + `]}` + "\n"; string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	put(`{"cells": [{"cell_type": "code", "source": ["0.3<!--=1-->"]}]}`)
	if _, err := checkFile(path, figures, true); err == nil || !strings.Contains(err.Error(), "Markdown cells") {
		t.Errorf("a marker in code: %v", err)
	}
}

// printedByCells has a table between two texts.
func printedByCells(t *testing.T) string {
	t.Helper()
	text, err := outputsOf([]byte(`{"cells": [{"outputs": [{"text": ["informed −1,234.5 ", "nats\n"]},
		{"data": {"text/html": ["<script>var told = 'told: 3'</script><table><tr><th>a</th>\n<th>b</th></tr>",
			"<tr><td>yes</td><td title=\"7\">do</td><td>0.25</td><td>0.5</td></tr></table>"],
			"text/plain": "told: 3"}}, {"data": {"text/plain": "&lt; done; last 3"}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
