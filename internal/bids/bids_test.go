package bids

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bnlab/internal/datatest"
)

// write puts text into a file of a new folder.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadEvents(t *testing.T) {
	const table = "\ufeffonset\tduration\ttrial_type\tresponse_time\tmood\r\n" +
		"1.5\t0\tface\t0.3\tgood\r\n\n-2\tn/a\tn/a\tn/a\tbad\n3e1\t2.25\t house \tn/a\tn/a"
	path := write(t, t.TempDir(), "events.tsv", table)
	want := []Event{{1.5, 0, "face", "", 2, nil}, {-2, -1, "", "", 4, nil}, {30, 2.25, "house", "", 5, nil}}
	e, err := ReadEvents(path, "")
	if err != nil || !reflect.DeepEqual(e.Events, want) || !reflect.DeepEqual(e.Unused, []string{"mood"}) {
		t.Errorf("got %+v, %v; want %v", e, err, want)
	}
	e, err = ReadEvents(path, "mood")
	if err != nil || e.Events[1].Kind != "bad" || e.Unused != nil {
		t.Errorf("kinds from another column: %+v, %v", e, err)
	}
	short, err := parseEvents(strings.NewReader("trial_type\tonset\na\t1\n"), "x", "")
	if err != nil || !reflect.DeepEqual(short.Events, []Event{{1, -1, "a", "", 2, nil}}) {
		t.Errorf("without duration: %+v, %v", short, err)
	}
}

func TestEventErrors(t *testing.T) {
	const header = "onset\tduration\ttrial_type\n"
	tests := []struct {
		name, table string
		is          error
		want        string
	}{
		{"nothing", "", ErrFormat, "bids: x, line 1: not of the form of its kind: the file is empty"},
		{"commas", "onset,duration,trial_type\n1,1,a\n", ErrFormat, "has no tabs"},
		{"another unit", "onset_ms\tduration\ttrial_type\n", ErrColumn,
			`bids: x, line 1, column "onset": no such column: it holds seconds after the first image; rename or convert one of: onset_ms, duration, trial_type`},
		{"no kind", "onset\tduration\tcondition\n", ErrColumn,
			`column "trial_type": no such column: it holds the kind of event; rename or name one of: onset, duration, condition`},
		{"a column twice", "onset\tonset\ttrial_type\n", ErrFormat,
			`column "onset": not of the form of its kind: a second column`},
		{"a short row", header + "1\t2\n", ErrFormat,
			"line 2: not of the form of its kind: 2 cells where the header has 3"},
		{"bytes", header + "1\t1\t\xff\n", ErrFormat, "not UTF-8"},
		{"a long line", header + strings.Repeat("x", maxLine+1), ErrLimit, "line 2: too large: a line of more than"},
		{"a long file", header + strings.Repeat("\n", maxFile), ErrLimit, "too large: more than 16777216 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseEvents(strings.NewReader(test.table), "x", "")
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want one that wraps %v and says %s", err, test.is, test.want)
			}
		})
	}
	numbers := []struct{ name, rows, want string }{
		{"onset that is none", "1\t2\ta\nn/a\t2\ta\n", `bids: x, line 3, column "onset": not a finite number: "n/a"`},
		{"NaN", "NaN\t2\ta\n", `"NaN"; give seconds`},
		{"infinity", "1\tinf\ta\n", `column "duration": not a finite number: "inf"`},
		{"duration below 0", "1\t-1\ta\n", `"-1"; give seconds, 0 or more`},
	}
	for _, test := range numbers {
		e, err := parseEvents(strings.NewReader(header+test.rows), "x", "")
		if err != nil {
			t.Fatal(err)
		}
		err = e.Events[len(e.Events)-1].Err
		if !errors.Is(err, ErrNumber) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	if _, err := ReadEvents("no such file", ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestKinds reads tables without kinds, and what R puts in quotes.
func TestKinds(t *testing.T) {
	tests := []struct {
		name, table string
		want        Event
		noKinds     bool
	}{
		{"onset and duration", "onset\tduration\n1\t2\n", Event{1, 2, "", "", 2, nil}, true},
		{"columns of the standard", "onset\tduration\tresponse_time\n1\t2\t3\n", Event{1, 2, "", "", 2, nil}, true},
		{"value alone", "onset\tduration\tvalue\tmood\n1\t2\t7\tgood\n", Event{1, 2, "", "7", 2, nil}, true},
		{"value beside n/a", "onset\tduration\ttrial_type\tvalue\n1\t2\tn/a\t7\n", Event{1, 2, "", "7", 2, nil}, false},
		{"quotes", "\"onset\"\t\"duration\"\t\"trial_type\"\n1\t2\t\"a \"\"face\"\"\"\n",
			Event{1, 2, `a "face"`, "", 2, nil}, false},
	}
	for _, test := range tests {
		e, err := parseEvents(strings.NewReader(test.table), "x", "")
		if err != nil || !reflect.DeepEqual(e.Events, []Event{test.want}) || e.NoKinds != test.noKinds {
			t.Errorf("%s: %+v, %v; want %v", test.name, e, err, test.want)
		}
	}
}

// TestUnits gives an events file a description of its columns.
func TestUnits(t *testing.T) {
	tests := []struct {
		json string
		is   error
	}{
		{`{"onset": {"Units": "s"}, "duration": {"Units": "Seconds"}, "mood": {"Units": "ms"}}`, nil},
		{`{"onset": {"Description": "when"}}`, nil},
		{`{"onset": {"Units": "ms"}}`, ErrUnit},
		{`{"duration": {"Units": "scans"}}`, ErrUnit},
		{`{"onset": 3}`, ErrFormat},
		{`{"onset": {"Units": null}}`, ErrFormat},
		{`{`, ErrFormat},
	}
	for _, test := range tests {
		dir := t.TempDir()
		path := write(t, dir, "events.tsv", "onset\tduration\ttrial_type\n1\t1\ta\n")
		write(t, dir, "events.json", test.json)
		if _, err := ReadEvents(path, ""); !errors.Is(err, test.is) {
			t.Errorf("%s: %v, want %v", test.json, err, test.is)
		}
	}
}

func TestReadSidecar(t *testing.T) {
	tests := []struct {
		json string
		want float64
		is   error
		says string
	}{
		{`{"RepetitionTime": 2.2, "TaskName": "faces"}`, 2.2, nil, ""},
		{`{"TaskName": "faces"}`, 0, ErrMissing, "give the seconds between images"},
		{`{"VolumeTiming": [0, 1, 5]}`, 0, ErrMissing, "equal steps"},
		{`{"RepetitionTime": 2200}`, 0, ErrUnit, "looks like milliseconds"},
		{`{"RepetitionTime": null}`, 0, ErrMissing, "give the seconds between images"},
		{`{"RepetitionTime": [null, 2]}`, 0, ErrNumber, "give the seconds between images"},
		{`{"RepetitionTime": 0}`, 0, ErrNumber, "0; give"},
		{`{"RepetitionTime": -1}`, 0, ErrNumber, ""},
		{`{"RepetitionTime": "2 s"}`, 0, ErrNumber, "2 s"},
		{`{"RepetitionTime": 1e999}`, 0, ErrFormat, ""},
		{`[]`, 0, ErrFormat, ""},
		{strings.Repeat("[", 100000), 0, ErrFormat, "depth"},
		{strings.Repeat(" ", maxJSON+1), 0, ErrLimit, ""},
	}
	for _, test := range tests {
		s, err := ReadSidecar(write(t, t.TempDir(), "bold.json", test.json))
		if !errors.Is(err, test.is) || err != nil && !strings.Contains(err.Error(), test.says) || err == nil &&
			s.RepetitionTime != test.want {
			t.Errorf("%.40s: %v, %v; want %v, %v", test.json, s, err, test.want, test.is)
		}
	}
}

// TestHaxby reads the events of twelve runs: each has eight kinds, once, 22.5 s long.
func TestHaxby(t *testing.T) {
	files, _ := filepath.Glob(datatest.Path(t, "haxby/sub001/run*/events.tsv"))
	if len(files) != 12 {
		t.Errorf("%d runs, want 12", len(files))
	}
	for _, file := range files {
		e, err := ReadEvents(file, "")
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]bool{}
		for _, event := range e.Events {
			kinds[event.Kind] = true
			if event.Duration != 22.5 {
				t.Errorf("%s, line %d: %v s", file, event.Line, event.Duration)
			}
		}
		if len(e.Events) != 8 || len(kinds) != 8 {
			t.Errorf("%s: %d events of %d kinds, want 8 of 8", file, len(e.Events), len(kinds))
		}
	}
}

// FuzzEvents looks for a table that makes the parser panic or let a number through
// that is none.
func FuzzEvents(f *testing.F) {
	f.Add("onset\tduration\ttrial_type\n1\t2\ta\n2\tn/a\tb\n")
	f.Add("\ufefftrial_type\tonset\r\na\t-1e3\r\n")
	f.Fuzz(func(t *testing.T, table string) {
		e, err := parseEvents(strings.NewReader(table), "x", "")
		if at := (*FileError)(nil); err != nil {
			if !errors.As(err, &at) {
				t.Fatalf("error %v of type %T", err, err)
			}
			return
		}
		for _, event := range e.Events {
			if event.Err != nil && !errors.Is(event.Err, ErrNumber) || event.Onset-event.Onset != 0 ||
				!(event.Duration >= 0 || event.Duration == -1) || event.Line < 2 {
				t.Errorf("event %+v", event)
			}
		}
	})
}

func TestReadConfounds(t *testing.T) {
	path := write(t, t.TempDir(), "confounds.tsv", "trans_x\tcsf\trot_y\n0.5\tn/a\tn/a\n-1\t7\t2e-3\n")
	values, unknown, err := ReadConfounds(path, []string{"rot_y", "trans_x"})
	if err != nil || unknown != 1 || !reflect.DeepEqual(values, []float64{0, 0.5, 2e-3, -1}) {
		t.Errorf("got %v, %d, %v", values, unknown, err)
	}
	if _, _, err := ReadConfounds(path, []string{"dvars"}); !errors.Is(err, ErrColumn) ||
		!strings.Contains(err.Error(), "trans_x, csf, rot_y") {
		t.Errorf("a column that is not there: %v", err)
	}
	bad := write(t, t.TempDir(), "confounds.tsv", "trans_x\nnan\n")
	if _, _, err := ReadConfounds(bad, []string{"trans_x"}); !errors.Is(err, ErrNumber) {
		t.Errorf("NaN: %v", err)
	}
}
