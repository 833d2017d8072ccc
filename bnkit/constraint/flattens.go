package constraint

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
)

// widely notes where a statement says more than its sentence may seem to: rows that differ in a parent which is not
// named are tied to one, or each of them is bound where the average over them may be meant. Deviation from a note on
// everything: influences hold "all other parents being the same", and what nobody conditions on (Given nil) is noted of
// probabilities only, whose sentence reads like one about the variable by itself.
func widely(net *bn.Network, s Constraint) string {
	switch s := pointed(s).(type) {
	case AtPrice:
		return widely(net, s.Statement)
	case ShareAcross:
		if len(s.Given) == 0 {
			return "" // whatever its parents
		}
		return flattens(net, s, s.Var, s.Given, s.ForEach)
	case ShareWeightsAcross:
		if len(s.Given) == 0 {
			return ""
		}
		return flattens(net, s, s.Var, s.Given, s.ForEach)
	case ShareHierarchy:
		for _, l := range s.Levels {
			if note := flattens(net, s, s.Var, l.Given, nil); len(l.Given) > 0 && note != "" {
				return note
			}
		}
	case ShareCells:
		for _, group := range s.Groups {
			if note := ties(net, group); note != "" {
				return note
			}
		}
	case ShareSumsAcross:
		return ties(net, cellsOf(s.Events))
	case ShareRatiosAcross:
		return ties(net, cellsOf(s.Events))
	case Fixed:
		return eachRow(net, s.Var, s.Given, true)
	case AtMost:
		return eachRow(net, s.Var, s.Given, true)
	case AtLeast:
		return eachRow(net, s.Var, s.Given, true)
	case Between:
		return eachRow(net, s.Var, s.Given, true)
	case OrderSums:
		return eachRow(net, s.Var, s.Given, false)
	case ShareStates:
		return eachRow(net, s.Var, s.Given, false)
	case Proportional:
		return eachRow(net, s.Var, s.Given, false)
	case ShareSums:
		return eachRow(net, s.Var, s.Given, false)
	case ShareRatios:
		return eachRow(net, s.Var, s.Given, false)
	case Synergy:
		return eachContext(net, s)
	}
	return ""
}

// flattens notes that rows which differ in a parent that is not named are tied to one: "the same for women and men"
// means most often the same in each state of the others.
func flattens(net *bn.Network, s Constraint, name string, given []bn.Given, forEach []string) string {
	parents := discreteParents(net, name)
	var others []string
	for _, p := range parents {
		isNamed := slices.Contains(forEach, p.Name) || slices.ContainsFunc(given, func(g bn.Given) bool {
			_, ok := g[p.Name]
			return ok
		})
		if !isNamed {
			others = append(others, p.Name)
		}
	}
	bounds, err := s.Bind(net)
	if err != nil || len(others) == 0 {
		return ""
	}
	rows := make(map[Row]bool)
	configs := make(map[int]bool)
	for _, b := range bounds {
		for _, row := range b.Links {
			rows[row] = true
		}
		for _, w := range b.Shares {
			for _, term := range w.Terms {
				configs[term.Config] = true
			}
		}
	}
	list := strings.Join(others, ", ")
	remedy := "set ForEach: " + list
	if _, ok := s.(ShareHierarchy); ok {
		remedy = "write a level for each of them"
	}
	return fmt.Sprintf("makes %d rows one, also where %s differs; to keep its states apart, %s",
		max(len(rows), len(configs)), list, remedy)
}

// ties notes that a cell or an event stands for several rows, which are then equal to each other too.
func ties(net *bn.Network, cells []Cell) string {
	for _, c := range cells {
		others, rows := open(net, c.Var, c.Given)
		if rows > 1 && len(c.Given) > 0 {
			list := strings.Join(others, ", ")
			return fmt.Sprintf("ties %d rows of %s to each other, also where %s differs; to keep its states apart, "+
				"name one in each Given and write a statement for each", rows, c.Var, list)
		}
	}
	return ""
}

// eachRow notes that a statement binds each of several rows, and not what they are on average.
func eachRow(net *bn.Network, name string, given bn.Given, isProbability bool) string {
	others, rows := open(net, name, given)
	if rows <= 1 || len(given) == 0 && !isProbability {
		return ""
	}
	return fmt.Sprintf("holds in each of %d rows, whatever %s, not only on average; for one row, name all parents in "+
		"Given", rows, whatever(others))
}

// eachContext notes how often a synergy is stated.
func eachContext(net *bn.Network, s Synergy) string {
	named := make(bn.Given)
	for parent, state := range s.Given {
		named[parent] = state
	}
	for _, parent := range s.Parents {
		named[parent] = ""
	}
	others, contexts := open(net, s.Child, named)
	if contexts <= 1 {
		return ""
	}
	return fmt.Sprintf("holds in each of %d contexts, whatever %s; for one context, name the other parents in Given",
		contexts, whatever(others))
}

func whatever(others []string) string {
	if len(others) == 1 {
		return others[0] + " is"
	}
	return strings.Join(others, ", ") + " are"
}

// open lists the parents that are not named, and the number of their joint states.
func open(net *bn.Network, name string, given bn.Given) (others []string, rows int) {
	rows = 1
	for _, p := range discreteParents(net, name) {
		if _, ok := given[p.Name]; !ok {
			others, rows = append(others, p.Name), rows*p.Cardinality()
		}
	}
	return others, rows
}

// discreteParents of a variable, none of one that the network has not.
func discreteParents(net *bn.Network, name string) []bn.Variable {
	v, err := net.Index(name)
	if err != nil {
		return nil
	}
	var list []bn.Variable
	for _, u := range net.DAG().Parents(v) {
		if p := net.Variable(u); p.IsDiscrete() {
			list = append(list, p)
		}
	}
	return list
}

// pointed is the statement that a pointer points to, and any other as it is.
func pointed(s Constraint) Constraint {
	if v := reflect.ValueOf(s); v.Kind() == reflect.Pointer && !v.IsNil() {
		if value, ok := v.Elem().Interface().(Constraint); ok {
			return value
		}
	}
	return s
}

func cellsOf(events []Event) []Cell {
	list := make([]Cell, len(events))
	for i, e := range events {
		list[i] = Cell{Var: e.Var, Given: e.Given}
	}
	return list
}
