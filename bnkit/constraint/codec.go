package constraint

import (
	"bnlab/internal/notnull"
	"bnlab/internal/say"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A storedType is a type of statement that files may hold.
type storedType struct {
	name  string
	holds func(Constraint) bool
	read  func(json.RawMessage) (Constraint, error)
}

// storedTypes lists them all by their names in files.
func storedTypes() []storedType {
	return []storedType{
		stored[Fixed]("fixed"),
		stored[ShareStates]("share-states"),
		stored[Proportional]("proportional"),
		stored[ShareSums]("share-sums"),
		stored[ShareRatios]("share-ratios"),
		stored[ShareAcross]("share-across"),
		stored[ShareCells]("share-cells"),
		stored[ShareTables]("share-tables"),
		stored[ShareHierarchy]("share-hierarchy"),
		stored[ShareSumsAcross]("share-sums-across"),
		stored[ShareRatiosAcross]("share-ratios-across"),
		stored[OrderSums]("order-sums"),
		stored[AtMost]("at-most"),
		stored[AtLeast]("at-least"),
		stored[Between]("between"),
		stored[LinearSum]("linear-sum"),
		stored[Formula]("formula"),
		stored[AtPrice]("at-price"),
		stored[Influence]("influence"),
		stored[Synergy]("synergy"),
		stored[NoisyOR]("noisy-or"),
		stored[NoisyMAX]("noisy-max"),
		stored[ShareWeights]("share-weights"),
		stored[ProportionalWeights]("proportional-weights"),
		stored[ShareWeightsAcross]("share-weights-across"),
		stored[SignWeights]("sign-weights"),
		stored[BoundWeights]("bound-weights"),
	}
}

func stored[S Constraint](name string) storedType {
	return storedType{
		name: name,
		holds: func(s Constraint) bool {
			switch s := any(s).(type) {
			case S:
				return true
			case *S:
				return s != nil
			}
			return false
		},
		read: func(b json.RawMessage) (Constraint, error) {
			var s S
			err := strict(b, &s)
			return s, err
		},
	}
}

// Marshal writes statements as JSON, each as {"type": …, "statement": …}. The functions of
// a [Formula] are left out. It returns an error for statements of types that this package
// does not have and for numbers that JSON does not have.
func Marshal(statements []Constraint) ([]byte, error) {
	types := storedTypes()
	list := make([]tagged, len(statements))
	for i, s := range statements {
		for _, t := range types {
			if t.holds(s) {
				list[i].Type = t.name
			}
		}
		if list[i].Type == "" {
			return nil, fmt.Errorf("constraint: statements of type %T cannot be stored", s)
		}
		var err error
		if list[i].Statement, err = json.Marshal(s); err != nil {
			return nil, wrong(s, err)
		}
	}
	return json.Marshal(list)
}

// Unmarshal reads what [Marshal] wrote. Unknown types and fields, and text behind the
// statements, are errors.
func Unmarshal(b []byte) ([]Constraint, error) {
	types := make(map[string]storedType)
	for _, t := range storedTypes() {
		types[t.name] = t
	}
	var list []tagged
	if err := strict(b, &list); err != nil {
		return nil, say.Errorf("constraint: reading statements: %w", err)
	}
	statements := make([]Constraint, len(list))
	for i, entry := range list {
		t, ok := types[entry.Type]
		if !ok {
			return nil, say.Errorf("constraint: reading statement %d: unknown type %q", i+1, entry.Type)
		}
		var err error
		if statements[i], err = t.read(entry.Statement); err != nil {
			return nil, say.Errorf("constraint: reading statement %d (%s): %w", i+1, t.name, err)
		}
	}
	return statements, nil
}

type tagged struct {
	Type      string          `json:"type"`
	Statement json.RawMessage `json:"statement"`
}

func strict(b []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(dst); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is text behind the end")
	}
	return notnull.Check(b, dst)
}
