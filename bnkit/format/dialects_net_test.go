package format_test

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
)

// nested are the rows of v with a level of parentheses for each parent, the first outermost.
func nested(n *bn.Network, v int, number func(float64) string, open, comma, close string) string {
	t := n.CPT(v)
	var part func(config, parent int) string
	part = func(config, parent int) string {
		if parent == len(t.Parents) {
			return join(t.Row(config), number, comma)
		}
		var parts []string
		for s := range t.Parents[parent].States {
			parts = append(parts, open+part(config+s*t.Configs().Stride(parent), parent+1)+close)
		}
		return strings.Join(parts, strings.TrimSpace(comma))
	}
	return open + part(0, 0) + close
}

func bnlearnNet(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("net \n{ \n}\n")
	for v := range n.Len() {
		fmt.Fprintf(b, "node %s \n{\n  states = ( \"%s\" );\n}\n", n.Variable(v).Name,
			strings.Join(n.Variable(v).States, "\" \""))
	}
	for v := range n.Len() {
		of := parents(n, v)
		if len(of) == 0 {
			fmt.Fprintf(b, "potential ( %s ) \n{\n  data = ( %s );\n}\n", n.Variable(v).Name,
				join(n.CPT(v).P, number, " "))
			continue
		}
		fmt.Fprintf(b, "potential ( %s | %s ) \n{\n  data = %s ;\n}\n", n.Variable(v).Name, strings.Join(of, " "),
			nested(n, v, number, "(", " ", ")"))
	}
}

// huginNet is the language of Hugin with the attributes that its tools write, and comments that say the configuration.
func huginNet(indent, gap string) func(*strings.Builder, *bn.Network, func(float64) string) {
	return func(b *strings.Builder, n *bn.Network, number func(float64) string) {
		b.WriteString("net\n{\n" + indent + "node_size = (80 40);\n" + indent + "HR_Desc = \"\";\n}\n\n")
		for v := range n.Len() {
			fmt.Fprintf(b, "node %s\n{\n%sstates = (\"%s\");\n%slabel = \"\";\n%sposition = (%d 100);\n}\n\n",
				n.Variable(v).Name, indent, strings.Join(n.Variable(v).States, "\" \""), indent, indent, 50*v)
		}
		for v := range n.Len() {
			of := parents(n, v)
			bar := ""
			if len(of) > 0 {
				bar = " | "
			}
			fmt.Fprintf(b, "potential (%s%s%s)\n{\n%sdata = (", n.Variable(v).Name, bar, strings.Join(of, " "), indent)
			each(n, v, false, func(states []int, row []float64) {
				text := join(row, number, " ")
				if len(of) > 0 {
					text = "(" + text + ")"
				}
				fmt.Fprintf(b, "%s\t%% %s%s", text, strings.Join(chosen(n, v, states), " "), gap)
			})
			b.WriteString(");\n}\n\n")
		}
	}
}

// bnlearnDSC names the states of the parents by numbers from 0.
func bnlearnDSC(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("belief network \"unknown\"\n")
	for v := range n.Len() {
		x := n.Variable(v)
		fmt.Fprintf(b, "node %s {\n  type : discrete [ %d ] = { \"%s\" };\n}\n", x.Name, len(x.States),
			strings.Join(x.States, "\", \""))
	}
	for v := range n.Len() {
		of := parents(n, v)
		if len(of) == 0 {
			fmt.Fprintf(b, "probability ( %s ) {\n   %s;\n}\n", n.Variable(v).Name, join(n.CPT(v).P, number, ", "))
			continue
		}
		fmt.Fprintf(b, "probability ( %s | %s ) {\n", n.Variable(v).Name, strings.Join(of, ", "))
		each(n, v, true, func(states []int, row []float64) {
			fmt.Fprintf(b, "  (%s) : %s;\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(states), " ", ", "), "[]"),
				join(row, number, ", "))
		})
		b.WriteString("}\n")
	}
}

// netica is DNET with what the tool writes around a network: links in drawings, certain rows as #k, and comments.
func netica(end string) func(*strings.Builder, *bn.Network, func(float64) string) {
	return func(out *strings.Builder, n *bn.Network, number func(float64) string) {
		b := &strings.Builder{}
		b.WriteString("// ~->[DNET-1]->~\n\n// File created by somebody using Netica 5.18\n\nbnet N " +
			"{\nautoupdate = TRUE;\n" +
			"whenchanged = 1080345681;\n\nvisual V1 {\n\tdefdispform = BELIEFBARS;\n\tnodefont = font {shape= " +
			"\"Arial\"; " +
			"size= 10;};\n\tresolution = 72;\n\t};\n\n")
		for _, v := range n.DAG().Order() {
			x, t := n.Variable(v), n.CPT(v)
			fmt.Fprintf(b, "node %s {\n\tkind = NATURE;\n\tdiscrete = TRUE;\n\tchance = CHANCE;\n\tstates = (%s);\n"+
				"\tparents = (%s);\n\tprobs = \n\t\t// %s\n\t\t(", x.Name, strings.Join(x.States, ", "),
				strings.Join(parents(n, v), ", "), strings.Join(x.States, "  "))
			each(n, v, false, func(states []int, row []float64) {
				config := t.Configs().Index(states)
				if config > 0 {
					b.WriteString(",\n\t\t ")
				}
				fmt.Fprintf(b, "%s", join(row, number, ", "))
			})
			b.WriteString(");\n\tbelief = (0.5);\n\tvisual V1 {\n\t\tcenter = (90, 54);\n\t\theight = 3;\n")
			for i := range parents(n, v) {
				fmt.Fprintf(b, "\t\tlink %d {\n\t\t\tpath = ((1, 2), (3, 4));\n\t\t\t};\n", i+1)
			}
			b.WriteString("\t\t};\n\t};\n\n")
		}
		b.WriteString("NodeSet a {Nodes = (A);};\n};\n")
		out.WriteString(strings.ReplaceAll(b.String(), "\n", end))
	}
}

func genieXDSL(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<smile version=\"1.0\" id=\"N\" " +
		"numsamples=\"1000\" " +
		"discsamples=\"10000\">\n\t<nodes>\n")
	for _, v := range n.DAG().Order() {
		fmt.Fprintf(b, "\t\t<cpt id=\"%s\">\n", n.Variable(v).Name)
		for _, s := range n.Variable(v).States {
			fmt.Fprintf(b, "\t\t\t<state id=\"%s\" />\n", s)
		}
		if of := parents(n, v); len(of) > 0 {
			fmt.Fprintf(b, "\t\t\t<parents>%s</parents>\n", strings.Join(of, " "))
		}
		fmt.Fprintf(b, "\t\t\t<probabilities>%s</probabilities>\n\t\t</cpt>\n", join(n.CPT(v).P, number, " "))
	}
	b.WriteString("\t</nodes>\n\t<extensions>\n\t\t<genie version=\"1.0\" app=\"GeNIe 2.0.3393.0\" name=\"N\">\n" +
		"\t\t\t<node id=\"A\">\n\t\t\t\t<name>A</name>\n\t\t\t\t<position>60 30 140 70</position>\n\t\t\t</node>\n" +
		"\t\t</genie>\n\t</extensions>\n</smile>\n")
}

func genieDSL(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("net Unnamed\n{\n")
	for _, v := range n.DAG().Order() {
		name := n.Variable(v).Name
		fmt.Fprintf(b, "\tnode %s\n\t{\n\t\tTYPE = CPT;\n\t\tHEADER =\n\t\t{\n\t\t\tID = %s;\n\t\t\tNAME = "+
			"\"%s\";\n\t\t};\n"+
			"\t\tPARENTS = (%s);\n\t\tDEFINITION =\n\t\t{\n\t\t\tNAMESTATES = (%s);\n\t\t\tPROBABILITIES = "+
			"(%s);\n\t\t};\n\t};\n\n",
			name, name, name, strings.Join(parents(n, v), ", "), strings.Join(n.Variable(v).States, ", "),
			join(n.CPT(v).P, number, ", "))
	}
	b.WriteString("};\n")
}

func uaiFile(b *strings.Builder, n *bn.Network, number func(float64) string) {
	fmt.Fprintf(b, "BAYES\n%d\n", n.Len())
	for v := range n.Len() {
		fmt.Fprintf(b, "%d ", n.Variable(v).Cardinality())
	}
	fmt.Fprintf(b, "\n%d\n", n.Len())
	for v := range n.Len() {
		fmt.Fprintf(b, "%d ", 1+len(parents(n, v)))
		for _, p := range n.DAG().Parents(v) {
			fmt.Fprintf(b, "%d ", p)
		}
		fmt.Fprintf(b, "%d   # %d\n", v, v+1)
	}
	for v := range n.Len() {
		fmt.Fprintf(b, "\n\n%d\n", len(n.CPT(v).P))
		each(n, v, false, func(_ []int, row []float64) { fmt.Fprintf(b, "  %s \n", join(row, number, " ")) })
	}
}
