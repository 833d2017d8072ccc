package bids

import (
	"io"
	"os"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// An Event is something that happened in a run.
type Event struct {
	Onset    float64 // seconds after the first image began; below 0 before it
	Duration float64 // seconds; −1 when the file does not say
	Kind     string  // what happened, such as a kind of stimulus; empty when the file does not say
	Value    string  // the column of this name; empty when the file does not say
	Line     int     // where it stands
	Err      error   // why Onset or Duration, which is 0 then, cannot be used; a [FileError] that wraps ErrNumber
}

// Events is what an events.tsv file holds.
type Events struct {
	File   string
	Events []Event  // in the order of the file
	Unused []string // columns that are neither used here nor described by the standard
	// NoKinds is set where there is no column of kinds, and none that could be one but value.
	NoKinds bool
}

// standard are the columns that BIDS itself describes.
var standard = [...]string{"onset", "duration", "trial_type", "response_time", "value", "HED", "stim_file", "channel",
	"sample", "identifier"}

// trialType is the column of kinds that BIDS has.
const trialType = "trial_type"

// ReadEvents reads a table with tabs between its columns. It needs the column onset and one
// for the kind, trial_type unless kindColumn names another; duration is read when there. "n/a"
// stands for a duration or kind that is not known. Where a file of the same name with .json
// describes the columns, their units must be seconds. An onset or duration that is no number is an
// error of its event, since events of a kind that nobody asks for may be without.
//
// A [FileError] wraps ErrColumn (with the columns there are), ErrNumber, ErrUnit, ErrFormat or ErrLimit.
func ReadEvents(path, kindColumn string) (*Events, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, say.Errorf("bids: %w", err)
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
	table
	kindColumn            string
	onset, duration, kind int // where these columns are; all but onset are −1 when there is none
	value                 int
	out                   *Events
}

// parseEvents reads the table.
func parseEvents(r io.Reader, path, kindColumn string) (*Events, error) {
	if kindColumn == "" {
		kindColumn = trialType
	}
	p := &parser{table: table{path: path}, kindColumn: kindColumn, out: &Events{File: path}}
	if err := p.read(r, p.header, p.row); err != nil {
		return nil, err
	}
	return p.out, nil
}

// header finds the columns.
func (p *parser) header(cells []string) error {
	p.onset, p.duration, p.kind = slices.Index(cells, "onset"), slices.Index(cells, "duration"),
		slices.Index(cells, p.kindColumn)
	p.value = slices.Index(cells, "value")
	for _, c := range cells {
		if c != p.kindColumn && !slices.Contains(standard[:], c) {
			p.out.Unused = append(p.out.Unused, c)
		}
	}
	switch {
	case p.onset < 0:
		return p.wrong("onset", ErrColumn, "it holds seconds after the first image; rename or convert one of: %s",
			say.List(cells))
	case p.kind >= 0:
	case p.kindColumn == trialType && (p.value >= 0 || p.out.Unused == nil):
		p.out.NoKinds = true
	default:
		return p.wrong(p.kindColumn, ErrColumn, "it holds the kind of event; rename or name one of: %s",
			say.List(cells))
	}
	return nil
}

// row reads an event.
func (p *parser) row(cells []string) error {
	text := func(column int) string {
		if column < 0 || cells[column] == "n/a" {
			return ""
		}
		return cells[column]
	}
	e := Event{Duration: -1, Kind: text(p.kind), Value: text(p.value), Line: p.line}
	var ok bool
	if e.Onset, ok = finite(cells[p.onset]); !ok {
		e.Onset, e.Err = 0, p.wrong("onset", ErrNumber, "%q; give seconds", cells[p.onset])
	}
	if p.duration >= 0 && cells[p.duration] != "n/a" {
		if e.Duration, ok = finite(cells[p.duration]); !ok || e.Duration < 0 {
			e.Duration, e.Err = 0, p.wrong("duration", ErrNumber, "%q; give seconds, 0 or more, or n/a",
				cells[p.duration])
		}
	}
	p.out.Events = append(p.out.Events, e)
	return nil
}
