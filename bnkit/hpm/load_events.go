package hpm

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bnlab/internal/bids"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// responseSeconds is how long the signal lasts after the stimulus: N06 §5.2 has processes of
// 16 s for stimuli of 4 s.
const responseSeconds = 12

// events turns the tables of events into processes, sorted by name, and onsets.
func (l *niftiLoader) events() error {
	if err := l.kinds(); err != nil {
		return err
	}
	longest := make(map[string]float64) // kind to seconds
	unnamed := 0
	for _, table := range l.tables {
		for _, e := range table.Events {
			if e.Kind == "" {
				unnamed++
			} else {
				longest[e.Kind] = max(longest[e.Kind], e.Duration) // which is −1 where unknown
			}
		}
	}
	if unnamed > 0 {
		l.warn("%s without a kind left out", english.Count(unnamed, "event"))
	}
	known := slices.Sorted(maps.Keys(longest))
	kinds := known
	if len(l.set.Kinds) > 0 {
		kinds = slices.Compact(slices.Sorted(slices.Values(l.set.Kinds)))
	}
	if len(kinds) == 0 {
		return say.Errorf("hpm: the events name no kind of stimulus; see %s, and name the column that does in "+
			"KindColumn", l.tables[0].File)
	}
	length := make(map[string]int)
	for _, kind := range kinds {
		if _, found := longest[kind]; !found {
			return say.Errorf("hpm: no event is of kind %q (kinds: %s)", kind, say.List(known))
		}
		seconds := l.set.Seconds
		if seconds == 0 {
			seconds = longest[kind] + responseSeconds
		}
		images := max(math.Ceil(seconds/l.ImageSeconds-1e-9), 1) // 37.5 s are 15 images of 2.5 s
		if !(images <= 1<<20) {
			return say.Errorf("hpm: process %q would last %v s, %v images; give Seconds", kind, seconds, images)
		}
		length[kind] = int(images)
		l.Processes = append(l.Processes, Process{Name: kind, Length: int(images)})
	}
	farthest, moved := 0.0, 0
	for n := range l.Trials {
		far, m, err := l.onsets(n, length)
		if err != nil {
			return err
		}
		farthest, moved = max(farthest, far), moved+m
	}
	if moved > 0 {
		l.warn("%s moved to the nearest image, by up to %.3g s", english.Count(moved, "onset"), farthest)
	}
	return nil
}

// kinds takes the values of events, or one kind for all, where no table has kinds of events and
// the settings name no column.
func (l *niftiLoader) kinds() error {
	if l.set.KindColumn != "" {
		return nil
	}
	var without []string // tables without a column of kinds
	named, valued := false, false
	for _, table := range l.tables {
		if table.NoKinds {
			without = append(without, table.File)
		}
		for _, e := range table.Events {
			named, valued = named || e.Kind != "", valued || e.Value != ""
		}
	}
	var kind func(e *bids.Event) string
	switch {
	case named && without != nil:
		return say.Errorf("hpm: %s has no column trial_type, and others have; add it, or name the column of kinds "+
			"that all have in KindColumn", without[0])
	case named:
		return nil
	case valued:
		l.warn("no event has a trial_type; its value is its kind")
		kind = func(e *bids.Event) string { return e.Value }
	case len(without) == len(l.tables):
		l.warn("the tables have no kinds of events; all events are of one, %q", theEvent)
		kind = func(*bids.Event) string { return theEvent }
	default:
		return nil
	}
	for _, table := range l.tables {
		for i := range table.Events {
			table.Events[i].Kind = kind(&table.Events[i])
		}
	}
	return nil
}

// theEvent is the kind of events that are of one kind alone.
const theEvent = "event"

// onsets puts the events of a run into its trial, and returns how far onsets were moved at
// most, in seconds, and how many.
func (l *niftiLoader) onsets(n int, length map[string]int) (farthest float64, moved int, err error) {
	trial, table := &l.Trials[n], l.tables[n]
	end := float64(trial.Images) * l.ImageSeconds
	line := make(map[Onset]int)
	for _, e := range table.Events {
		lasts := length[e.Kind]
		if lasts == 0 { // a kind that was not asked for
			continue
		}
		if e.Err != nil {
			return 0, 0, say.Errorf("hpm: run %s: %w, or leave the event out", trial.Run, e.Err)
		}
		if e.Onset >= end {
			return 0, 0, say.Errorf("hpm: run %s: %s, line %d: %q begins at %v s, after the end (%d images, %v s); "+
				"leave the event out, or write seconds if these are not",
				trial.Run, table.File, e.Line, e.Kind, e.Onset, trial.Images, end)
		}
		image := math.Floor(e.Onset/l.ImageSeconds+0.5) + 1
		if image < 1 {
			l.warn("run %s: %s, line %d: %q begins at %v s, before the first image, and is left out with what it "+
				"would still add", trial.Run, table.File, e.Line, e.Kind, e.Onset)
			continue
		}
		if image > float64(trial.Images) { // the last image would be one before it
			l.warn("run %s: %s, line %d: %q begins at %v s, nearer to the end than to the last image, and is left out",
				trial.Run, table.File, e.Line, e.Kind, e.Onset)
			continue
		}
		o := Onset{Process: e.Kind, Image: int(image)}
		if gap := math.Abs(float64(o.Image-1)*l.ImageSeconds - e.Onset); gap > 1e-3 {
			farthest, moved = max(farthest, gap), moved+1
		}
		for _, other := range trial.Onsets {
			gap := max(o.Image-other.Image, other.Image-o.Image)
			if other.Process == e.Kind && gap < lasts {
				return 0, 0, say.Errorf("hpm: run %s: %s: %q begins on line %d and line %d, %s apart, but lasts %d, "+
					"so two instances would run at once; %s",
					trial.Run, table.File, e.Kind, line[other], e.Line, english.Count(gap, "image"), lasts,
					l.remedy(gap))
			}
		}
		line[o] = e.Line
		trial.Onsets = append(trial.Onsets, o)
	}
	return farthest, moved, nil
}

// remedy says what to do about onsets of one process that are gap images apart.
func (l *niftiLoader) remedy(gap int) string {
	if gap == 0 {
		return "leave one of them out"
	}
	return fmt.Sprintf("set Seconds to %.6g or less, or leave one of them out", float64(gap)*l.ImageSeconds)
}
