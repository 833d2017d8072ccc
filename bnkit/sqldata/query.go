package sqldata

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bnlab/internal/say"
)

// checkQuery returns the user's query ready to stand in parentheses, without a semicolon at its end, or an error that
// wraps [errNotSelect] for what is not one SELECT. Where databases read a text differently it is refused: a comment
// within a comment, one that a carriage return may end, dashes without a space after them, a backslash before a
// quote, backticks and dollars as quotes, the characters that the dialect refuses, and, outside quotes, what is
// neither ASCII nor a letter: it may be a space, a quote or the tag of dollar quotes; and calls of functions that are
// neither known nor allowed (see call). What it lets through still runs within FROM ( … ), where
// nothing but a table expression may stand, and where the dialect can in a read-only transaction.
func checkQuery(query, refused string, allowed ...string) (string, error) {
	s := scanner{text: query, refused: refused, allowed: allowed, with: make(map[int]bool)}
	if err := s.scan(); err != nil {
		return "", say.Errorf("sqldata: the Query is %w: %w", errNotSelect, err)
	}
	return strings.TrimSpace(query[:s.end]), nil
}

// A scanner walks over a query, telling apart words, quotations, comments and the rest.
type scanner struct {
	text    string
	refused string   // characters
	allowed []string // functions
	at      int
	end     int    // of the statement, before a semicolon
	depth   int    // of parentheses
	words   int    // seen so far
	begin   bool   // after a parenthesis that opens
	name    string // the word or what is quoted just before, which a parenthesis makes a call
	quoted  bool   // name is
	// token is what stands just before, a word in capitals or a character, and prior what stands before that.
	token, prior string
	with         map[int]bool // depths at which common table expressions are listed
}

// writers are the words that begin statements which write, wherever a SELECT may stand.
var writers = []string{"INSERT", "UPDATE", "DELETE", "MERGE"}

func isWriter(word string) bool {
	return slices.ContainsFunc(writers, func(w string) bool { return strings.EqualFold(w, word) })
}

func (s *scanner) scan() error {
	ended := false // by a semicolon
	for s.at < len(s.text) {
		start := s.at
		c := s.text[s.at]
		switch {
		case c == 0:
			return errors.New("it has a zero byte")
		case strings.IndexByte(" \t\n\r\f\v", c) >= 0:
			s.at++
			continue
		case strings.HasPrefix(s.text[s.at:], "--"):
			line, _, _ := strings.Cut(s.text[s.at:], "\n")
			if strings.Contains(strings.TrimSuffix(line, "\r"), "\r") {
				return say.Errorf("the comment at %s holds a carriage return, which ends it in some databases; take "+
					"it out", s.place(start))
			}
			if len(line) > 2 && !strings.ContainsAny(line[2:3], " \t\r-") {
				return say.Errorf("databases read the dashes at %s differently; put a space after them",
					s.place(start))
			}
			s.at += len(line)
			continue
		case strings.HasPrefix(s.text[s.at:], "/*"):
			if err := s.comment(); err != nil {
				return err
			}
			continue
		}
		if ended {
			return say.Errorf("something follows the semicolon at %s; give one statement", s.place(start))
		}
		if c == '(' {
			if err := s.call(); err != nil {
				return err
			}
		}
		if c == '&' && start > 0 && s.token == "U" && strings.HasPrefix(s.text[start-1:], s.name+`&"`) {
			return say.Errorf("PostgreSQL reads escapes in the name after U& at %s; write its letters in double "+
				"quotes alone, or a space before & if that means AND of bits", s.place(start-1))
		}
		s.prior, s.token = s.token, string(c)
		s.name, s.quoted = "", false
		switch {
		case c == ';':
			s.at++
			s.end, ended = start, true
			continue
		case c == '`', strings.IndexByte(s.refused, c) >= 0, strings.HasPrefix(s.text[s.at:], "# "),
			strings.HasPrefix(s.text[s.at:], "#!"):
			if c == '@' {
				return say.Errorf("the variable at %s belongs to the session; use Args", s.place(start))
			}
			mend := "put names in double quotes, and begin comments with --"
			if strings.Contains(s.refused, `"`) {
				mend = "make a view whose names need no quotes, and begin comments with --"
			}
			return say.Errorf("databases read %q at %s differently; %s", string(c), s.place(start), mend)
		case c == '\'' || c == '"':
			if err := s.quotation(c); err != nil {
				return err
			}
			s.name, s.quoted = s.text[start+1:s.at-1], true
		case c == '$' && s.dollars():
			return say.Errorf("databases read the dollars at %s differently; use single quotes, or Args",
				s.place(start))
		case c == '(':
			s.at++
			s.depth++
			s.with[s.depth] = false
			s.begin = true
			s.end = s.at
			continue
		case c == ')':
			s.at++
			if s.depth--; s.depth < 0 {
				return say.Errorf("the parenthesis at %s closes none", s.place(start))
			}
		case isWord(s.text[s.at:]):
			if err := s.word(); err != nil {
				return err
			}
		default:
			if s.words == 0 {
				return say.Errorf("it begins with %q; begin with SELECT or WITH", string(c))
			}
			if c >= utf8.RuneSelf {
				r, _ := utf8.DecodeRuneInString(s.text[s.at:])
				return say.Errorf("databases read %q at %s differently; put it in quotes, or take it out", r,
					s.place(start))
			}
			s.at++
		}
		s.begin = false
		s.end = s.at
	}
	switch {
	case s.words == 0:
		return errors.New("it is empty; begin with SELECT or WITH")
	case s.depth > 0:
		return fmt.Errorf("%d parentheses are open at its end", s.depth)
	}
	return nil
}

// place is a line and column, from 1.
func (s *scanner) place(at int) string {
	line := strings.Count(s.text[:at], "\n") + 1
	return fmt.Sprintf("line %d, column %d", line,
		utf8.RuneCountInString(s.text[strings.LastIndexByte(s.text[:at], '\n')+1:at])+1)
}

func (s *scanner) comment() error {
	start := s.at
	end := strings.Index(s.text[start+2:], "*/")
	if end < 0 {
		return say.Errorf("the comment at %s does not end", s.place(start))
	}
	if strings.Contains(s.text[start+2:start+2+end], "/*") || s.text[start+2] == '!' {
		return say.Errorf("the comment at %s holds another or a statement, which databases read differently; take it "+
			"out", s.place(start))
	}
	s.at = start + 2 + end + 2
	return nil
}

// quotation passes a literal or a quoted name, in which the quote is doubled.
func (s *scanner) quotation(quote byte) error {
	start := s.at
	for i := start + 1; i < len(s.text); i++ {
		if s.text[i] != quote {
			continue
		}
		if s.text[i-1] == '\\' {
			return say.Errorf("the quotation at %s has a backslash before a quote, which databases read differently; "+
				"use Args, or a view", s.place(start))
		}
		if i+1 < len(s.text) && s.text[i+1] == quote {
			i++
			continue
		}
		s.at = i + 1
		return nil
	}
	return say.Errorf("the quotation at %s does not end", s.place(start))
}

// dollars reports whether a quotation such as $$…$$ or $tag$…$tag$ begins here.
func (s *scanner) dollars() bool {
	for i, r := range s.text[s.at+1:] {
		if r == '$' {
			return true
		}
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return false
}

func isWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r)
}

func (s *scanner) word() error {
	start := s.at
	for i, r := range s.text[start:] {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		s.at = start + i + utf8.RuneLen(r)
	}
	word := s.text[start:s.at]
	s.name, s.token = word, strings.ToUpper(word)
	s.words++
	switch s.token {
	case "WITH":
		s.with[s.depth] = s.words == 1 || s.begin
	case "SELECT", "FROM", "VALUES", "TABLE":
		s.with[s.depth] = false
	case "VALUE":
		if s.prior == "NEXT" || s.prior == "PREVIOUS" {
			return say.Errorf("%s VALUE at %s draws from a sequence; make a table of what it gives", s.prior,
				s.place(start))
		}
	}
	switch {
	case s.words == 1 && !strings.EqualFold(word, "SELECT") && !strings.EqualFold(word, "WITH"):
		return say.Errorf("it begins with %q; begin with SELECT or WITH", word)
	case strings.EqualFold(word, "INTO"), isWriter(word) && (s.begin || s.depth == 0):
		return say.Errorf("the word %q at %s belongs to a statement that writes; put it in double quotes if it is a "+
			"name", word, s.place(start))
	}
	return nil
}
