package constraint

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Marshal writes statements as JSON, each as {"type": …, "statement": …}.
func Marshal(statements []Constraint) ([]byte, error) {
	list := make([]tagged, len(statements))
	for i, s := range statements {
		name := kind(s)
		if name == "" {
			return nil, fmt.Errorf("constraint: statements of type %T cannot be stored", s)
		}
		body, err := json.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("constraint: %q: %w", s, err)
		}
		list[i] = tagged{name, body}
	}
	return json.Marshal(list)
}

// Unmarshal reads what [Marshal] wrote. Unknown types and fields are errors.
func Unmarshal(b []byte) ([]Constraint, error) {
	var list []tagged
	if err := strict(b, &list); err != nil {
		return nil, fmt.Errorf("constraint: reading statements: %w", err)
	}
	statements := make([]Constraint, len(list))
	for i, t := range list {
		var err error
		switch t.Type {
		case "share-states":
			var s ShareStates
			err = strict(t.Statement, &s)
			statements[i] = s
		case "share-across":
			var s ShareAcross
			err = strict(t.Statement, &s)
			statements[i] = s
		default:
			err = fmt.Errorf("unknown type %q", t.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("constraint: reading statement %d: %w", i+1, err)
		}
	}
	return statements, nil
}

type tagged struct {
	Type      string          `json:"type"`
	Statement json.RawMessage `json:"statement"`
}

func kind(s Constraint) string {
	switch s.(type) {
	case ShareStates, *ShareStates:
		return "share-states"
	case ShareAcross, *ShareAcross:
		return "share-across"
	}
	return ""
}

func strict(b []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(dst)
}
