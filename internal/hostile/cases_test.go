package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/sqldata"
	"bnlab/internal/num"
)

// TestCases tries a few cases of each kind, each twice with one outcome.
func TestCases(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			for number := range uint64(6) {
				first := attempt(k, newTrial(k.name, 1, number, t.TempDir()))
				if first.err != nil {
					t.Fatalf("case %d: %v", number, first.err)
				}
				if again := attempt(k, newTrial(k.name, 1, number, t.TempDir())); again != first {
					t.Errorf("case %d: %v, and again %v", number, first, again)
				}
			}
		})
	}
}

// TestCommand: what comes of it, and of cases that fail and panic.
func TestCommand(t *testing.T) {
	whole := kinds
	defer func() { kinds = whole }()
	kinds = []kind{
		{"odd", func(t *trial) (string, error) {
			if t.number == 3 {
				panic("\x1b[2J")
			}
			return "tries", presentable(strings.Repeat("\a", int(t.number)/5))
		}},
		{"sound", func(*trial) (string, error) { return "tries", nil }},
	}
	for _, test := range []struct {
		args   string
		status int
		want   []string
	}{
		{"-only sound -case 7 -seed 4", 0, []string{"sound, seed 4, case 7: tries, passed"}},
		{"-only odd -case 3", 1, []string{`odd, seed 1, case 3: panic: \x1b[2J`,
			"go run ./internal/hostile -only odd -seed 1 -case 3",
			"1 of these cases failed"}},
		{"-only odd -for 10s", 1, []string{"case 5: the text has", "20 failed", "24 cases", "4 tries"}},
		{"-only sound -for 0s", 0, []string{"0 cases, 0 failed"}},
		{"-only even", 2, []string{`there is no kind "even"; kinds: odd, sound`}},
		{"-case 1", 2, []string{"name it"}},
		{"more", 2, []string{"is no flag"}},
	} {
		var out bytes.Buffer
		status := run(strings.Fields(test.args), &out, &out)
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %s\nwant %q", test.args, out.String(), want)
			}
		}
		if status != test.status {
			t.Errorf("%s: status %d, want %d", test.args, status, test.status)
		}
	}
}

// TestJudges: a judge that never condemns is none. Of right answers wrong ones are made.
func TestJudges(t *testing.T) {
	broken, lower, curved, refuted := 0, 0, 0, 0
	for number := range uint64(200) {
		c := draw(newTrial("statements", 2, number, "").rng)
		n := c.counts()
		p, err := constraint.Compile(c.net, c.statements...)
		if err != nil {
			continue
		}
		s, err := p.Solve(n)
		if err != nil {
			continue
		}
		if _, bad := c.judge(n, nil, constraint.ErrInfeasible); bad != nil {
			refuted++
		}
		// The answer to other counts satisfies the statements and is no maximum.
		flat := make([]float64, len(n))
		for i := range flat {
			flat[i] = 1
		}
		other, err := p.Solve(flat)
		if err != nil {
			continue
		}
		at, most := num.LogLikelihood(n, other.Theta), num.LogLikelihood(n, s.Theta)
		if !math.IsInf(at, -1) && most-at > 0.01*num.Sum(n) {
			other.Parts = s.Parts
			if _, bad := c.judge(n, other, nil); bad == nil {
				t.Errorf("case %d: %v nats below the maximum, and not found", number, most-at)
			} else if len(c.products) == 0 {
				lower++
			} else {
				curved++
			}
		}
		s.Theta[0] += 1e-6
		if _, bad := c.judge(n, s, nil); bad == nil {
			t.Errorf("case %d: a broken answer is not found", number)
		}
		broken++
	}
	if broken < 100 || lower < 100 || curved < 2 || refuted < 100 {
		t.Errorf("%d broken, %d and %d lower answers, %d false contradictions", broken, lower, curved, refuted)
	}
}

func TestTexts(t *testing.T) {
	for s, bad := range map[string]bool{"plain\n\ttext é 日本": false, "\x1b[2J": true, "\u009b": true, "\u202e": true,
		"a\r":  true,
		"\x00": true, strings.Repeat("x", 1<<20): true} {
		if err := presentable(s); (err != nil) != bad {
			t.Errorf("%.20q: %v", s, err)
		}
	}
	const begin = `<div class="tex2jax_ignore">`
	for s, bad := range map[string]bool{
		begin + `<table><tr><th scope="col" style="">&lt;script&gt;</th></tr></table></div><p></p>`: false,
		begin + `<table><tr><th><img src=x></th></tr></table></div><p></p>`:                         true,
		begin + `<table><tr><th onclick="x">a</th></tr></table></div><p></p>`:                       true,
		begin + `<a href="javascript:x">a</a></div><p></p>`:                                         true,
		`<div><table></table></div><p></p>`:                                                         true,
		begin + `</div><p></p><script>1</script><script>2</script>`:                                 true,
	} {
		if err := harmlessHTML([]byte(s)); (err != nil) != bad {
			t.Errorf("%s: %v", s, err)
		}
	}
	for s, bad := range map[string]bool{`<svg><g><text x="1">a</text></g></svg>`: false, `<svg><script/></svg>`: true,
		`<svg onload="x"/>`: true, `<svg><text></svg>`: true} {
		if err := harmless([]byte(s)); (err != nil) != bad {
			t.Errorf("%s: %v", s, err)
		}
	}
	for s, want := range map[string]string{`SELECT "a""b", 'c''d' FROM "t"`: "SELECT Q, Q FROM Q",
		`"a"; DROP`: "Q; DROP"} {
		if got, err := unquoted(sqldata.SQLite(), s); got != want || err != nil {
			t.Errorf("%s: %s, %v", s, got, err)
		}
	}
	if got, err := unquoted(sqldata.SQLite(), `SELECT "a`); err == nil {
		t.Errorf("an open quote: %s", got)
	}
}
