package validate

import (
	"fmt"
	"strings"
)

// warnings gathers what is said of many places, in the order of the first.
type warnings struct {
	texts  []string
	places map[string][]string
}

func (w *warnings) add(text, place string) {
	if w.places == nil {
		w.places = make(map[string][]string)
	}
	if w.places[text] == nil {
		w.texts = append(w.texts, text)
	}
	w.places[text] = append(w.places[text], place)
}

// lines returns a line for each text, with the first ten places.
func (w *warnings) lines() []string {
	var out []string
	for _, text := range w.texts {
		at := w.places[text]
		line := text + " (" + strings.Join(at[:min(len(at), 10)], "; ")
		if len(at) > 10 {
			line += fmt.Sprintf("; and %d more", len(at)-10)
		}
		out = append(out, line+")")
	}
	return out
}
