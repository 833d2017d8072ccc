package nb

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit/viz"
)

// The tests show plain text even when a notebook runs them.
func TestMain(m *testing.M) {
	gonbui.IsNotebook = false
	os.Exit(m.Run())
}

// use sets the screen for one test.
func use(t *testing.T, s screen) {
	t.Helper()
	show()
	old := current
	current = s
	t.Cleanup(func() { current = old })
}

// recorder is a notebook that keeps what it is sent.
func recorder(t *testing.T) *[]*protocol.DisplayData {
	sent := &[]*protocol.DisplayData{}
	use(t, &notebook{send: func(d *protocol.DisplayData) { *sent = append(*sent, d) }})
	return sent
}

func frame() dataframe.DataFrame {
	return dataframe.New(
		series.New([]string{"a<b>", "NaN", "c&d"}, series.String, "name"),
		series.New([]float64{0.123456, math.NaN(), 12345.678}, series.Float, "score"),
		series.New([]int{1, 20, 300}, series.Int, "n"),
		series.New([]bool{true, false, true}, series.Bool, "ok"),
	)
}

func figure(t *testing.T) *viz.Figure {
	t.Helper()
	f, err := viz.Curves([]viz.Series{{X: []float64{1, 2}, Y: []float64{1, 2}}},
		&viz.Axes{Title: "Two points", Width: 3, Height: 2})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPlain(t *testing.T) {
	var out, errs bytes.Buffer
	use(t, &plain{out: &out, err: &errs})
	Println("a table:")
	Head(frame(), 2)
	Show(figure(t), figure(t))
	Printf("%d\n", 3)
	want := `a table:
name   score   n  ok
a<b>  0.1235   1  true
–          –  20  false
… 1 more row
[Two points (figure of 3.0 × 2.0 inches)]
[Two points (figure of 3.0 × 2.0 inches)]
3
`
	if out.String() != want {
		t.Errorf("plain text is\n%s\nwant\n%s", out.String(), want)
	}
	if errs.Len() > 0 {
		t.Errorf("standard error has %q", errs.String())
	}
}

func TestNotebookOrder(t *testing.T) {
	sent := recorder(t)
	Println("one")
	Println("two")
	Show(figure(t))
	Println("three")
	Table(frame())
	var kinds []string
	for _, d := range *sent {
		of := make([]string, 0, 2)
		for k := range d.Data {
			of = append(of, string(k))
		}
		slices.Sort(of)
		kinds = append(kinds, strings.Join(of, "+"))
	}
	want := "text/plain text/plain text/html+text/plain text/plain text/html"
	if got := strings.Join(kinds, " "); got != want {
		t.Fatalf("sent %s, want %s", got, want)
	}
	d := *sent
	if got := d[1].Data[protocol.MIMETextPlain]; got != "one\ntwo" || d[0].DisplayID == "" ||
		d[0].DisplayID != d[1].DisplayID {
		t.Errorf("lines in a row: %q in the blocks %q and %q, want one block", got, d[0].DisplayID, d[1].DisplayID)
	}
	if got := d[3].Data[protocol.MIMETextPlain]; got != "three" || d[3].DisplayID == d[0].DisplayID {
		t.Errorf("text after a picture: %q in the block of the text before it", got)
	}
	// Three inches at 96 pixels to the inch.
	if got := d[2].Data[protocol.MIMETextHTML].(string); !strings.Contains(got, `<img style="width:288px;`) {
		t.Errorf("picture is %.200s", got)
	}
	if got, want := d[2].Data[protocol.MIMETextPlain], "[Two points (figure of 3.0 × 2.0 inches)]"; got != want {
		t.Errorf("picture as text is %q, want %q", got, want)
	}
}

func TestPNGSize(t *testing.T) {
	b, err := figure(t).PNG()
	if err != nil {
		t.Fatal(err)
	}
	if pngSize(b) == nil {
		t.Error("a figure has no size")
	}
	// A cut or foreign file has none.
	for n := range 54 {
		if got := pngSize(b[:n]); got != nil {
			t.Errorf("the first %d bytes have the size %v", n, got)
		}
	}
	if got := pngSize(append([]byte("GIF8"), b...)); got != nil {
		t.Errorf("another file has the size %v", got)
	}
	if got := pngSize(append(b[:33:33], b[33+21:]...)); got != nil {
		t.Errorf("a file without resolution has the size %v", got)
	}
}

func TestNotebookTable(t *testing.T) {
	sent := recorder(t)
	Head(frame(), 2)
	got := (*sent)[0].Data[protocol.MIMETextHTML].(string)
	const left, right = `style="text-align:left"`, `style="text-align:right;white-space:nowrap"`
	want := `<div class="tex2jax_ignore mathjax_ignore" style="overflow-x:auto"><table data-bnlab-sort>
<thead><tr><th scope="col" ` + left + `>name</th><th scope="col" ` + right + `>score</th><th scope="col" ` + right +
		`>n</th><th scope="col" ` + left + `>ok</th></tr></thead>
<tbody>
<tr><td ` + left + `>a&lt;b&gt;</td><td ` + right + ` title="0.123456">0.1235</td><td ` + right + `>1</td><td ` +
		left + `>true</td></tr>
<tr><td ` + left + `>–</td><td ` + right + `>–</td><td ` + right + `>20</td><td ` + left + `>false</td></tr>
</tbody>
</table></div>
<p class="tex2jax_ignore mathjax_ignore">… 1 more row · <a style="color:inherit" download="table.csv" href="data:text/csv;charset=utf-8;base64,` +
		base64.StdEncoding.EncodeToString([]byte("name,score,n,ok\na<b>,0.123456,1,true\n,,20,false\n")) +
		`">CSV</a></p>
<script>` + sortJS + `</script>
`
	if got != want {
		t.Errorf("table is\n%s\nwant\n%s", got, want)
	}
}

func TestGrid(t *testing.T) {
	wide := make([]series.Series, 40)
	for i := range wide {
		wide[i] = series.New(make([]int, 300), series.Int, "x"+strings.Repeat("y", i))
	}
	broken := frame().Select("no such column")
	tests := []struct {
		name string
		df   dataframe.DataFrame
		n    int
		rows int
		foot string
		err  string
	}{
		{"whole", frame(), 20, 3, "", ""},
		{"cut both ways", dataframe.New(wide...), 20, 20, "… 280 more rows and 10 more columns", ""},
		{"no rows", frame(), 0, 0, "… 3 more rows", ""},
		{"negative", frame(), -1, 0, "", "cannot show -1 rows"},
		{"frame with error", broken, 20, 0, "", "carries an error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := newGrid(tt.df, tt.n)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error is %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(g.rows) != tt.rows || g.foot != tt.foot {
				t.Errorf("%d rows and %q, want %d and %q", len(g.rows), g.foot, tt.rows, tt.foot)
			}
		})
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", -0.5: "-0.5", 0.123456: "0.1235", 123.456: "123.5", 999.96: "1000", 12345.6: "12346",
		0.00012345: "0.0001234", 1.5e-7: "1.500e-07", 2e20: "2.000e+20", math.Inf(-1): "-∞", math.NaN(): "–",
		math.Copysign(0, -1): "0",
	} {
		if got := number(x); got != want {
			t.Errorf("number(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestProgress(t *testing.T) {
	t.Run("notebook", func(t *testing.T) {
		sent := recorder(t)
		step := Progress("fits").Steps
		var all sync.WaitGroup
		for i := range 1000 {
			all.Add(1)
			go func() { defer all.Done(); step(i, 1000) }()
		}
		all.Wait()
		step(1000, 1000)
		last := (*sent)[len(*sent)-1]
		if got := last.Data[protocol.MIMETextPlain]; got != "fits: 1000 of 1000" {
			t.Errorf("the end is %q", got)
		}
		for _, d := range *sent {
			if d.DisplayID == "" || d.DisplayID != last.DisplayID {
				t.Errorf("a line of its own: %v", d.Data)
			}
		}
		if len(*sent) > 100 {
			t.Errorf("%d updates of 1001 steps were sent", len(*sent))
		}
	})
	t.Run("plain", func(t *testing.T) {
		var out, errs bytes.Buffer
		use(t, &plain{out: &out, err: &errs})
		step := Progress("fits").Steps
		for i := range 11 {
			step(i, 10)
		}
		if out.Len() > 0 || errs.String() != "fits: 10 of 10\n" {
			t.Errorf("standard output %q, error %q", out.String(), errs.String())
		}
	})
	t.Run("late worker", func(t *testing.T) {
		s := &lines{}
		use(t, s)
		step := Progress("fits").Steps
		step(1, 2)
		step(2, 2)
		step(1, 2)
		if len(s.got) != 2 || s.got[1] != "fits: 2 of 2" {
			t.Errorf("the lines are %q", s.got)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		sent := recorder(t)
		step := Progress("fits").Steps
		for done := range 75 {
			step(done+1, 200)
		}
		step(75, 75)
		step(80, 200)
		if got := (*sent)[len(*sent)-1].Data[protocol.MIMETextPlain]; got != "fits: interrupted at 75 of 200 (37 %)" {
			t.Errorf("the end is %q", got)
		}
	})
	for _, tt := range []struct {
		done, total int
		want        string
	}{{3, 0, "x: 3"}, {1, 2, "████████████░░░░░░░░░░░░ x: 1 of 2"}, {-1, 2, "░░░░░░░░░░░░░░░░░░░░░░░░ x: -1 of 2"},
		{3, 2, "x: 3 of 2"}} {
		if got := progressLine("x", tt.done, tt.total); got != tt.want {
			t.Errorf("progressLine(%d, %d) = %q, want %q", tt.done, tt.total, got, tt.want)
		}
	}
}

// lines keeps every line of a status.
type lines struct {
	plain
	got []string
}

func (l *lines) status() func(string, bool) {
	return func(s string, last bool) { l.got = append(l.got, s) }
}

// badPicture cannot be drawn.
type badPicture struct{}

func (badPicture) PNG() ([]byte, error) { return nil, errors.New("no ink") }

func TestMust(t *testing.T) {
	var out, errs bytes.Buffer
	use(t, &plain{out: &out, err: &errs})
	oldExit, oldStderr := exit, stderr
	defer func() { exit, stderr = oldExit, oldStderr }()
	stderr = &errs
	status := -1
	exit = func(code int) { status = code }

	if got := Must(3, nil); got != 3 || status != -1 {
		t.Errorf("Must(3, nil) = %d, exit status %d", got, status)
	}
	if a, b := Must2("x", 4, nil); a != "x" || b != 4 || status != -1 {
		t.Errorf("Must2(x, 4, nil) = %q, %d, exit status %d", a, b, status)
	}
	for _, fail := range []struct {
		name string
		do   func()
		want string
	}{
		{"Must", func() { Must(3, errors.New("no such column")) }, "error: no such column\n"},
		{"Must2", func() { Must2(3, 4, errors.New("empty")) }, "error: empty\n"},
		{"Check", func() { NoError(errors.New("a: b\nc")) }, "error: a: b\nc\n"},
		{"Show", func() { Show(badPicture{}) }, "error: no ink\n"},
	} {
		status = -1
		errs.Reset()
		fail.do()
		if status != 1 || errs.String() != fail.want {
			t.Errorf("%s: exit status %d, message %q, want 1 and %q", fail.name, status, errs.String(), fail.want)
		}
	}
}

// A kernel that does not answer costs its patience once, and nothing hangs.
func TestLinkGivesUp(t *testing.T) {
	var errs bytes.Buffer
	old := stderr
	defer func() { stderr = old }()
	stderr = &errs
	var calls atomic.Int32
	l := &link{patience: 20 * time.Millisecond, deliver: func(*protocol.DisplayData) { calls.Add(1); select {} }}
	for range 3 {
		l.send(&protocol.DisplayData{})
	}
	if calls.Load() != 1 || !strings.Contains(errs.String(), "does not answer") {
		t.Errorf("%d attempts, message %q", calls.Load(), errs.String())
	}
}
