package bids

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Event is something that happened in a run.
type Event struct {
	Onset    float64 // seconds after the first image began; below 0 before it
	Duration float64 // seconds; −1 when the file does not say
	Kind     string  // what happened, such as a kind of stimulus; empty when the file does not say
	Line     int     // where it stands
}

// Events is what an events.tsv file holds.
type Events struct {
	File   string
	Events []Event  // in the order of the file
	Unused []string // columns that are neither used here nor described by the standard
}

// standard are the columns that BIDS itself describes.
var standard = [...]string{"onset", "duration", "trial_type", "response_time", "value", "HED", "stim_file", "channel", "sample", "identifier"}

// maxLine bounds a line, and maxFile a file, in bytes.
const (
	maxLine = 1 << 20
	maxFile = 1 << 24
)

// ReadEvents reads a table with tabs between its columns. It needs the column onset and one
// for the kind, trial_type unless kindColumn names another; duration is read when there. "n/a"
// stands for a duration or kind that is not known. Where a file of the same name with .json
// describes the columns, their units must be seconds.
//
// A [FileError] wraps ErrColumn (with the columns there are), ErrNumber, ErrUnit, ErrFormat or ErrLimit.
func ReadEvents(path, kindColumn string) (*Events, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bids: %w", err)
	}
	defer f.Close()
	e, err := parseEvents(f, path, kindColumn)
	if err != nil {
		return nil, err
	}
	if base, found := strings.CutSuffix(path, ".tsv"); found {
		err = checkUnits(base + ".json")
	}
	return e, err
}

// A parser reads the table line by line.
type parser struct {
	path, kindColumn      string
	line                  int
	columns               int // 0 before the header
	onset, duration, kind int // where these columns are; duration is −1 when there is none
	out                   *Events
}

// parseEvents reads the table.
func parseEvents(r io.Reader, path, kindColumn string) (*Events, error) {
	if kindColumn == "" {
		kindColumn = "trial_type"
	}
	p := &parser{path: path, kindColumn: kindColumn, out: &Events{File: path}}
	limited := &io.LimitedReader{R: r, N: maxFile}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		p.line++
		if err := p.text(lines.Text()); err != nil {
			return nil, err
		}
	}
	p.line++
	switch {
	case lines.Err() == bufio.ErrTooLong:
		return nil, p.wrong("", ErrLimit, "a line of more than %d bytes", maxLine)
	case lines.Err() != nil:
		return nil, fmt.Errorf("bids: %s: %w", path, lines.Err())
	case limited.N == 0:
		return nil, p.wrong("", ErrLimit, "more than %d bytes", maxFile)
	case p.columns == 0:
		return nil, p.wrong("", ErrFormat, "the file is empty; it wants a header with onset, duration and %s", kindColumn)
	}
	return p.out, nil
}

// wrong makes an error about the line.
func (p *parser) wrong(column string, sentinel error, format string, args ...any) error {
	return &FileError{File: p.path, Line: p.line, Column: column, Err: fmt.Errorf("%w: "+format, append([]any{sentinel}, args...)...)}
}

// text reads a line, the first with something in it as the header.
func (p *parser) text(text string) error {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if !utf8.ValidString(text) {
		return p.wrong("", ErrFormat, "not UTF-8 text")
	}
	cells := strings.Split(text, "\t")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if p.columns == 0 {
		return p.header(cells)
	}
	return p.row(cells)
}

// header finds the columns.
func (p *parser) header(cells []string) error {
	p.columns = len(cells)
	p.onset, p.duration, p.kind = slices.Index(cells, "onset"), slices.Index(cells, "duration"), slices.Index(cells, p.kindColumn)
	switch {
	case len(cells) == 1 && strings.ContainsAny(cells[0], ",;"):
		return p.wrong("", ErrFormat, "%q has no tabs; events.tsv has tabs between columns", cells[0])
	case p.onset < 0:
		return p.wrong("onset", ErrColumn, "it holds seconds after the first image; rename or convert one of: %s", strings.Join(cells, ", "))
	case p.kind < 0:
		return p.wrong(p.kindColumn, ErrColumn, "it holds the kind of event; rename or name one of: %s", strings.Join(cells, ", "))
	}
	for i, c := range cells {
		if slices.Contains(cells[:i], c) {
			return p.wrong(c, ErrFormat, "a second column of this name")
		}
		if c != p.kindColumn && !slices.Contains(standard[:], c) {
			p.out.Unused = append(p.out.Unused, c)
		}
	}
	return nil
}

// row reads an event.
func (p *parser) row(cells []string) error {
	if len(cells) != p.columns {
		return p.wrong("", ErrFormat, "%d cells where the header has %d columns", len(cells), p.columns)
	}
	e := Event{Duration: -1, Kind: cells[p.kind], Line: p.line}
	if e.Kind == "n/a" {
		e.Kind = ""
	}
	var ok bool
	if e.Onset, ok = finite(cells[p.onset]); !ok {
		return p.wrong("onset", ErrNumber, "%q; give seconds", cells[p.onset])
	}
	if p.duration >= 0 && cells[p.duration] != "n/a" {
		if e.Duration, ok = finite(cells[p.duration]); !ok || e.Duration < 0 {
			return p.wrong("duration", ErrNumber, "%q; give seconds, 0 or more, or n/a", cells[p.duration])
		}
	}
	p.out.Events = append(p.out.Events, e)
	return nil
}

// finite reads a number.
func finite(cell string) (float64, bool) {
	x, err := strconv.ParseFloat(cell, 64)
	return x, err == nil && math.Abs(x) <= math.MaxFloat64
}
