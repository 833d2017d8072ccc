package nb

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/internal/say"
)

// pack returns the value that into points at as a file holds it, and how the file's name ends.
func pack(dir string, into any) (b []byte, ending string, err error) {
	switch v := into.(type) {
	case **bnkit.Model:
		b, err = saved(dir, *v == nil, func(path string) error { return bnkit.Save(path, *v) })
		return b, ".model.json", err
	case **bn.Network:
		b, err = saved(dir, *v == nil, func(path string) error { return bnkit.Save(path, *v) })
		return b, ".model.json", err
	case **bnkit.SeriesModel:
		b, err = saved(dir, *v == nil, func(path string) error { return bnkit.SaveSeries(path, *v) })
		return b, ".series.json", err
	case **dbn.Network:
		b, err = saved(dir, *v == nil, func(path string) error { return bnkit.SaveSeries(path, *v) })
		return b, ".series.json", err
	case *dataframe.DataFrame:
		f, err := frameOf(*v)
		if err != nil {
			return nil, "", err
		}
		return gobbed(f, ".frame.gob")
	}
	if err := plainData(reflect.TypeOf(into).Elem(), nil); err != nil {
		return nil, "", err
	}
	if v := reflect.ValueOf(into).Elem(); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, "", errors.New("the function returned nil")
	}
	return gobbed(into, ".gob")
}

func gobbed(v any, ending string) ([]byte, string, error) {
	var w bytes.Buffer
	err := gob.NewEncoder(&w).Encode(v)
	return w.Bytes(), ending, err
}

// saved returns what save writes to a file.
func saved(dir string, none bool, save func(path string) error) ([]byte, error) {
	if none {
		return nil, errors.New("the function returned nil")
	}
	temp, err := os.MkdirTemp(dir, ".saving-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	path := filepath.Join(temp, "model")
	if err := save(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// unpack reads the value in a file, whose bytes are b, to where into points.
func unpack(path string, b []byte, into any) (err error) {
	switch v := into.(type) {
	case **bnkit.Model:
		*v, err = bnkit.Load(path)
	case **bn.Network:
		m, err := bnkit.Load(path)
		if err == nil {
			*v = m.Declared()
		}
		return err
	case **bnkit.SeriesModel:
		*v, err = bnkit.LoadSeries(path)
	case **dbn.Network:
		m, err := bnkit.LoadSeries(path)
		if err == nil {
			*v = m.Dynamic()
		}
		return err
	case *dataframe.DataFrame:
		var f keptFrame
		if err = gob.NewDecoder(bytes.NewReader(b)).Decode(&f); err == nil {
			*v = f.frame()
		}
	default:
		err = gob.NewDecoder(bytes.NewReader(b)).Decode(into)
	}
	return err
}

// A keptFrame is a frame as a file holds it.
type keptFrame struct{ Columns []keptColumn }

type keptColumn struct {
	Name    string
	Type    series.Type
	Floats  []float64 // of a column of floats, NaN where one is missing
	Texts   []string  // of any other
	Missing []bool
}

func frameOf(df dataframe.DataFrame) (keptFrame, error) {
	if err := df.Error(); err != nil {
		return keptFrame{}, say.Errorf("the frame carries an error: %w", err)
	}
	var f keptFrame
	for _, name := range df.Names() {
		col := df.Col(name)
		c := keptColumn{Name: name, Type: col.Type()}
		if c.Type == series.Float {
			c.Floats = col.Float()
		} else {
			c.Texts, c.Missing = col.Records(), col.IsNaN()
		}
		f.Columns = append(f.Columns, c)
	}
	return f, nil
}

func (f keptFrame) frame() dataframe.DataFrame {
	var cols []series.Series
	for _, c := range f.Columns {
		if c.Type == series.Float {
			cols = append(cols, series.New(c.Floats, c.Type, c.Name))
			continue
		}
		col := series.New(c.Texts, c.Type, c.Name)
		for i, missing := range c.Missing {
			if missing {
				col.Elem(i).Set("NaN")
			}
		}
		cols = append(cols, col)
	}
	return dataframe.New(cols...)
}

var (
	gobEncoder      = reflect.TypeFor[gob.GobEncoder]()
	binaryMarshaler = reflect.TypeFor[encoding.BinaryMarshaler]()
)

// plainData reports why gob would not bring back every part of a value.
func plainData(t reflect.Type, seen []reflect.Type) error {
	if slices.Contains(seen, t) || t.Implements(gobEncoder) || t.Implements(binaryMarshaler) {
		return nil
	}
	seen = append(seen, t)
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Uintptr:
		return say.Errorf("%s is not plain data", t)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return within(t, plainData(t.Elem(), seen))
	case reflect.Map:
		if err := plainData(t.Key(), seen); err != nil {
			return within(t, err)
		}
		return within(t, plainData(t.Elem(), seen))
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return say.Errorf("%s has the field %s, which would be lost; keep models, networks and frames under "+
					"names of their own, or plain data made from it", t, f.Name)
			}
			if err := plainData(f.Type, seen); err != nil {
				return within(t, err)
			}
		}
	}
	return nil
}

func within(t reflect.Type, err error) error {
	if err != nil {
		return say.Errorf("%s: %w", t, err)
	}
	return nil
}

// hashValue adds a further argument of Keep to a hash: a model as its file, anything else part by part.
func hashValue(sum hash.Hash, v any) error {
	into := reflect.New(reflect.TypeFor[any]())
	if v != nil {
		into = reflect.New(reflect.TypeOf(v))
		into.Elem().Set(reflect.ValueOf(v))
	}
	switch v.(type) {
	case *bnkit.Model, *bn.Network, *bnkit.SeriesModel, *dbn.Network:
		b, _, err := pack("", into.Interface())
		sum.Write(b)
		return err
	}
	return hashParts(sum, reflect.ValueOf(v), 0)
}

func hashParts(w io.Writer, v reflect.Value, depth int) error {
	if !v.IsValid() {
		fmt.Fprint(w, "nil;")
		return nil
	}
	fmt.Fprintf(w, "%s:", v.Type())
	if depth > 100 {
		return errors.New("it refers to itself")
	}
	switch v.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			return say.Errorf("a %s cannot be compared with that of another run", v.Type())
		}
	case reflect.Pointer, reflect.Interface:
		return hashParts(w, v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(w, "%d;", v.Len())
		for i := range v.Len() {
			if err := hashParts(w, v.Index(i), depth+1); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := hashParts(w, v.Field(i), depth+1); err != nil {
				return err
			}
		}
	case reflect.Map:
		var entries []string
		for _, k := range v.MapKeys() {
			var b bytes.Buffer
			if err := cmpErr(hashParts(&b, k, depth+1), hashParts(&b, v.MapIndex(k), depth+1)); err != nil {
				return err
			}
			entries = append(entries, b.String())
		}
		slices.Sort(entries)
		fmt.Fprintf(w, "%q;", entries)
	case reflect.String:
		fmt.Fprintf(w, "%q;", v.String())
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(w, "%x;", math.Float64bits(v.Float()))
	default:
		fmt.Fprintf(w, "%v;", v)
	}
	return nil
}
