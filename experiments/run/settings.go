package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"bnlab/internal/say"
)

// Own is the profile of a run with settings of the user's own, see [Options]. Its numbers are not judged, since those
// of the papers belong to other sizes.
const Own Profile = "own"

// Configured is the configuration of a job: that of its profile, with the user's own settings.
func Configured[C any](job *Job, of func(Profile) C) (C, error) {
	if job.Profile != Own {
		return of(job.Profile), nil
	}
	var c C
	changed, err := withSettings(of(job.base), job.settings)
	if err == nil {
		c = changed.(C)
	}
	return c, err
}

// withSettings is a copy of a configuration, a struct, in which fields have other values. Fields are named without
// regard to case, those of a struct inside after a dot; elements of a list stand between commas.
func withSettings(config any, settings map[string]string) (any, error) {
	if len(settings) == 0 {
		return config, nil
	}
	fields := make(map[string]reflect.Value)
	var names []string
	var changed reflect.Value
	if v := reflect.ValueOf(config); v.Kind() == reflect.Struct {
		changed = reflect.New(v.Type()).Elem()
		changed.Set(v)
		addFields(changed, "", fields, &names)
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		field, ok := fields[strings.ToLower(name)]
		if !ok {
			return nil, say.Errorf("there is no setting %q; there are: %s", name, strings.Join(names, ", "))
		}
		if err := set(field, settings[name]); err != nil {
			return nil, say.Errorf("-%s %s: %w", name, settings[name], err)
		}
	}
	return changed.Interface(), nil
}

// addFields finds the fields that can be set, by name in lower case.
func addFields(v reflect.Value, prefix string, fields map[string]reflect.Value, names *[]string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := prefix + strings.ToLower(f.Name)
		switch {
		case !f.IsExported() || f.Tag.Get("json") == "-":
		case f.Type.Kind() == reflect.Struct:
			addFields(v.Field(i), name+".", fields, names)
		case settable(f.Type):
			fields[name] = v.Field(i)
			*names = append(*names, fmt.Sprintf("%s (%s)", name, text(v.Field(i))))
		}
	}
}

func settable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Float64, reflect.String, reflect.Bool:
		return true
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Slice && settable(t.Elem())
	}
	return false
}

// text is a value as one would type it.
func text(v reflect.Value) string {
	if v.Kind() != reflect.Slice {
		return fmt.Sprint(v.Interface())
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = fmt.Sprint(v.Index(i).Interface())
	}
	return strings.Join(parts, ",")
}

func set(v reflect.Value, value string) error {
	switch v.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("not a whole number")
		}
		v.SetInt(int64(n))
	case reflect.Float64:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || x != x {
			return fmt.Errorf("not a number")
		}
		v.SetFloat(x)
	case reflect.Bool:
		b, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("neither true nor false")
		}
		v.SetBool(b)
	case reflect.String:
		v.SetString(value)
	case reflect.Slice:
		parts := strings.Split(value, ",")
		list := reflect.MakeSlice(v.Type(), len(parts), len(parts)) // the profile's own list stays as it is
		for i, part := range parts {
			if err := set(list.Index(i), part); err != nil {
				return err
			}
		}
		v.Set(list)
	}
	return nil
}

// config is the configuration of a run, as JSON.
func (o Options) config(e Experiment) (json.RawMessage, error) {
	c, err := withSettings(e.Config(o.Profile), o.Settings)
	if err != nil {
		return nil, say.Errorf("experiment %s: %w", e.Info().ID, err)
	}
	b, err := json.Marshal(c)
	if err != nil {
		return nil, say.Errorf("%s: the configuration cannot be written: %w", e.Info().ID, err)
	}
	return b, nil
}

// profile is that of the run's results.
func (o Options) profile() Profile {
	if len(o.Settings) > 0 {
		return Own
	}
	return o.Profile
}
