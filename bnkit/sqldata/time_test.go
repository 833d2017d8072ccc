package sqldata_test

import (
	"context"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// A statement takes 2 ms, 50 µs a row, and 10 µs a row and grouping, by a clock that the driver sets: 10 statements, 4
// scans and 20 groupings of 12,000 rows then take 0.02 + 12,000 · (4 · 0.00005 + 20 · 0.00001) = 4.82 s.
func TestTime(t *testing.T) {
	cases := sqltest.Sample(t, infertest.Asia(), 12_000)
	f := &fake{cases: cases}
	clock := time.Unix(0, 0)
	limited := regexp.MustCompile(`LIMIT (\d+)\) AS "part"`)
	var asked []string
	f.trouble = func(int) (error, int, error) {
		text := f.sent[len(f.sent)-1].text
		rows := cases.Rows()
		if m := limited.FindStringSubmatch(text); m != nil {
			rows, _ = strconv.Atoi(m[1])
			asked = append(asked, m[1])
		}
		sets := 1
		if _, list, ok := strings.Cut(text, "GROUPING SETS ("); ok {
			sets = strings.Count(list, "(")
		}
		clock = clock.Add(2*time.Millisecond + time.Duration(rows)*(50+10*time.Duration(sets))*time.Microsecond)
		return nil, 0, nil
	}
	c, err := sqldata.Open(t.Context(), f.open(t), sqldata.PostgreSQL(), &sqldata.Options{Table: "t",
		States: data.StatesOf(cases.Variables()...)})
	if err != nil {
		t.Fatal(err)
	}
	c.SetClock(func() time.Time { return clock })
	got, err := c.Time(t.Context(), sqldata.Cost{Statements: 10, Scans: 4, Groupings: 20})
	if err != nil {
		t.Fatal(err)
	}
	if want := 4.82; got.Seconds() < want*0.999 || got.Seconds() > want*1.001 { // one row of the first is in each
		t.Errorf("%v, want %v s", got, want)
	}
	if most, err := c.Time(t.Context(), sqldata.Cost{Statements: 1, Scans: math.MaxInt}); err != nil || most < got {
		t.Errorf("most scans take %v, %v", most, err)
	}
	asked = asked[:4]
	if want := "1 1 10000 10000"; strings.Join(asked, " ") != want {
		t.Errorf("probes of %v rows, want %v", asked, want)
	}
	plan, err := c.Plan(t.Context(), 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Time(t.Context(), plan.Cost()); err == nil ||
		!strings.Contains(err.Error(), "no database to probe") {
		t.Errorf("a plan: %v", err)
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := c.Time(done, sqldata.Cost{}); err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("a done context: %v", err)
	}
}
