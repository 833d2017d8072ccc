// Package absent tells interfaces that hold nothing from those that hold something.
package absent

import "reflect"

// Is reports whether x is nil, or a nil pointer, such as what a function returns beside an error.
func Is(x any) bool {
	v := reflect.ValueOf(x)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}
