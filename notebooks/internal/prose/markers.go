package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// marker matches a marker: its kind and its expression.
var marker = regexp.MustCompile(`<!--(=|check:)(.*?)-->`)

// before matches the number or word just before a marker.
var before = regexp.MustCompile(`(?:[−+-]?[0-9][0-9,]*(?:\.[0-9]+)?|[A-Za-z]+)$`)

// name matches the id in the name of a notebook.
var name = regexp.MustCompile(`^[0-9][0-9]-(.*)\.ipynb$`)

// checkFile returns what is wrong in a notebook or a page of Markdown, a line for each marker. With update it writes
// numbers anew, to the file as it is: not a byte besides them changes. What it has mended it does not return.
func checkFile(path, figures string, update bool) ([]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tables := tables{figures: figures, read: map[string][][]string{}}
	isPage := filepath.Ext(path) == ".md"
	if !isPage {
		id := name.FindStringSubmatch(filepath.Base(path))
		if id == nil {
			return nil, fmt.Errorf("%s: not named NN-id.ipynb", path)
		}
		if err := onlyInMarkdown(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		tables.folder = id[1]
		if tables.outputs, err = outputsOf(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	text, said := tables.check(string(raw), !isPage, update)
	if update && text != string(raw) {
		return said, os.WriteFile(path, []byte(text), 0o644)
	}
	return said, nil
}

// onlyInMarkdown refuses a notebook with a marker that no reader of its Markdown would see, or that is torn by a line.
func onlyInMarkdown(raw []byte) error {
	var notebook struct {
		Cells []struct {
			Type   string          `json:"cell_type"`
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(raw, &notebook); err != nil {
		return err
	}
	seen := 0
	for _, cell := range notebook.Cells {
		if cell.Type == "markdown" {
			seen += len(marker.FindAll(cell.Source, -1))
		}
	}
	begun := strings.Count(string(raw), "<!--=") + strings.Count(string(raw), "<!--check:")
	if begun != seen {
		return fmt.Errorf("%d markers begin, %d are whole lines of Markdown cells; write each on one line", begun, seen)
	}
	return nil
}

// check returns the text with the numbers as the tables have them, if they are to be updated, and what is wrong. In the
// JSON of a notebook quotes are escaped.
func (t tables) check(text string, escaped, update bool) (string, []string) {
	var said []string
	var written strings.Builder
	end := 0
	for _, at := range marker.FindAllStringSubmatchIndex(text, -1) {
		shown := before.FindString(text[max(end, at[0]-40):at[0]])
		expression := text[at[4]:at[5]]
		if escaped {
			expression = strings.ReplaceAll(expression, `\"`, `"`)
		}
		now := shown
		values, err := t.evaluate(strings.TrimSpace(expression))
		if hidden := hides(text[:at[0]], expression); hidden != nil {
			err = hidden
		}
		expression = strings.TrimSpace(expression)
		if err == nil && text[at[2]:at[3]] == "check:" {
			err = holds(values)
		} else if err == nil {
			now, err = like(shown, values)
		}
		if err == nil && now != shown && !update {
			err = fmt.Errorf("the text says %s, the tables say %s", shown, now)
		}
		if err != nil {
			said = append(said, fmt.Sprintf("%s: %v", expression, err))
			now = shown
		}
		written.WriteString(text[end : at[0]-len(shown)])
		written.WriteString(now)
		written.WriteString(text[at[0]:at[1]])
		end = at[1]
	}
	written.WriteString(text[end:])
	return written.String(), said
}

// tight is a star that Markdown may take for emphasis.
var tight = regexp.MustCompile(`\S\*|\*\S`)

// hides is an error for a marker that some reader of Markdown would show, or take the rest of the line with it: one
// that begins a line, has two hyphens or a star without spaces.
func hides(before, expression string) error {
	start := before == "" || strings.HasSuffix(before, "\n") ||
		strings.HasSuffix(before, `"`) && !strings.HasSuffix(before, `\"`)
	switch {
	case start:
		return errors.New("begins a line; write it behind a word")
	case strings.Contains(expression, "--"):
		return errors.New("has two hyphens, which end a comment; write a space between them")
	case tight.MatchString(expression):
		return errors.New("has a star without spaces, which may be emphasis; write a * b")
	}
	return nil
}

// holds is an error unless all values are 1, as those of comparisons that hold.
func holds(values []float64) error {
	if at := slices.IndexFunc(values, func(v float64) bool { return v != 1 }); at >= 0 {
		return fmt.Errorf("does not hold (comparison %d of %d); mend the sentence", at+1, len(values))
	}
	return nil
}

// words are the numbers that are written in letters.
var words = strings.Fields("none one two three four five six seven eight nine ten eleven twelve")

// like writes a value as the text shows one: in a word, with as many decimals, with or without commas.
func like(shown string, values []float64) (string, error) {
	if len(values) != 1 {
		return "", fmt.Errorf("%d values, want one", len(values))
	}
	if shown == "" {
		return "", errors.New("no number before it; write the number just before <!--")
	}
	value := values[0]
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return "", fmt.Errorf("the value is %g", value)
	}
	if at := slices.Index(words, strings.ToLower(shown)); at >= 0 {
		whole := int(math.Round(value))
		if whole < 0 || whole >= len(words) {
			return strconv.Itoa(whole), nil
		}
		if shown != words[at] {
			return strings.ToUpper(words[whole][:1]) + words[whole][1:], nil
		}
		return words[whole], nil
	}
	if strings.ContainsAny(shown[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return "", fmt.Errorf("%q is no number", shown)
	}
	decimals := 0
	if _, after, found := strings.Cut(shown, "."); found {
		decimals = len(after)
	}
	now := strconv.FormatFloat(math.Abs(value), 'f', decimals, 64)
	digits := strings.TrimLeft(shown, "−+-")
	if before, _, _ := strings.Cut(digits, "."); strings.Contains(before, ",") || len(before) < 4 {
		now = commas(now)
	}
	switch {
	case value < 0 && strings.Trim(now, "0.,") != "":
		now = "−" + now
	case strings.HasPrefix(shown, "+"):
		now = "+" + now
	}
	return now, nil
}

// commas separates thousands.
func commas(number string) string {
	whole, rest, found := strings.Cut(number, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if found {
		return whole + "." + rest
	}
	return whole
}
