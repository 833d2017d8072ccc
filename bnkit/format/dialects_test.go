package format_test

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
)

// dialects are the tools whose files TestCorpus writes.
func dialects() []dialect {
	return []dialect{
		// R prints 7 significant digits; the first parent varies fastest.
		{"bnlearn, write.bif", ".bif", -7, true, bnlearnBIF},
		{"bnlearn, write.net", ".net", -7, true, bnlearnNet},
		{"bnlearn, write.dsc", ".dsc", -7, true, bnlearnDSC},
		{"bnlearn, values of 4 digits", ".bif", 4, true, bnlearnBIF},
		{"pgmpy, BIFWriter", ".bif", 0, true, pgmpyBIF},
		{"pgmpy, XMLBIFWriter", ".xml", 0, true, xmlBIF("OUTCOME")},
		// C++ prints 6 significant digits.
		{"aGrUM, saveBIF", ".bif", -6, true, agrumBIF},
		{"aGrUM, saveBIFXML", ".bifxml", -6, true, xmlBIF("OUTCOME")},
		{"aGrUM, saveNET", ".net", -6, true, huginNet("   ", "\n")},
		{"aGrUM, saveDSL", ".dsl", -6, true, genieDSL},
		{"aGrUM, saveUAI", ".uai", -6, false, uaiFile},
		{"GeNIe, XDSL", ".xdsl", 0, true, genieXDSL},
		{"GeNIe 1, DSL", ".dsl", 8, true, genieDSL},
		{"Netica for Windows", ".dne", -7, true, netica("\r\n")},
		{"Netica for Mac", ".dne", -7, true, netica("\r")},
		{"Hugin", ".net", -6, true, huginNet("    ", "\n\t")},
		{"Hugin for Windows", ".net", 0, true, func(b *strings.Builder, n *bn.Network, number func(float64) string) {
			var plain strings.Builder
			huginNet("    ", "\n\t")(&plain, n, number)
			b.WriteString(strings.ReplaceAll(plain.String(), "\n", "\r\n"))
		}},
		{"JavaBayes, BIF", ".bif", 4, true, javaBayesBIF},
		{"JavaBayes, XMLBIF 0.2", ".xml", 4, true, javaBayesOld},
		{"JavaBayes, XMLBIF 0.3", ".xml", 0, true, xmlBIF("OUTCOME")},
		{"Weka", ".xml", 0, true, xmlBIF("OUTCOME")},
		{"UnBBayes, XMLBIF 0.6", ".xml", 0, true, unbbayes},
		{"UnBBayes, NET", ".net", -8, true, huginNet("     ", "\n\t")},
		{"Tetrad", ".xml", 5, true, tetrad},
		{"SamIam", ".net", 0, true, huginNet("\t", "\n\t\t")},
		{"Merlin, UAI", ".uai", 6, false, uaiFile},
		{"MSBN, DSC", ".dsc", 6, true, bnlearnDSC},
	}
}

// each calls f for each configuration of the parents of v, the first parent or the last varying fastest.
func each(n *bn.Network, v int, firstFastest bool, f func(states []int, row []float64)) {
	t := n.CPT(v)
	states := make([]int, len(t.Parents))
	for range t.Configs().Len() {
		f(states, t.Row(t.Configs().Index(states)))
		for k := range states {
			i := len(states) - 1 - k
			if firstFastest {
				i = k
			}
			if states[i]++; states[i] < t.Parents[i].Cardinality() {
				break
			}
			states[i] = 0
		}
	}
}

func join(row []float64, number func(float64) string, between string) string {
	words := make([]string, len(row))
	for i, x := range row {
		words[i] = number(x)
	}
	return strings.Join(words, between)
}

// chosen are the names of the states of the parents of v.
func chosen(n *bn.Network, v int, states []int) []string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = n.CPT(v).Parents[i].States[s]
	}
	return names
}

func bnlearnBIF(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("network unknown {\n}\n")
	for v := range n.Len() {
		x := n.Variable(v)
		fmt.Fprintf(b, "variable %s {\n  type discrete [ %d ] { %s };\n}\n", x.Name, len(x.States),
			strings.Join(x.States, ", "))
	}
	for v := range n.Len() {
		name, of := n.Variable(v).Name, parents(n, v)
		if len(of) == 0 {
			fmt.Fprintf(b, "probability ( %s ) {\n  table %s;\n}\n", name, join(n.CPT(v).P, number, ", "))
			continue
		}
		fmt.Fprintf(b, "probability ( %s | %s ) {\n", name, strings.Join(of, ", "))
		each(n, v, true, func(states []int, row []float64) {
			fmt.Fprintf(b, "  (%s) %s;\n", strings.Join(chosen(n, v, states), ", "), join(row, number, ", "))
		})
		b.WriteString("}\n")
	}
}

func pgmpyBIF(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("network unknown {\n}\n")
	for v := range n.Len() {
		x := n.Variable(v)
		fmt.Fprintf(b, "variable %s {\n    type discrete [ %d ] { %s };\n    property weight = None ;\n}\n", x.Name,
			len(x.States), strings.Join(x.States, ", "))
	}
	for v := range n.Len() {
		name, of := n.Variable(v).Name, parents(n, v)
		if len(of) == 0 {
			fmt.Fprintf(b, "probability ( %s ) {\n    table %s ;\n}\n", name, join(n.CPT(v).P, number, ", "))
			continue
		}
		fmt.Fprintf(b, "probability ( %s | %s ) {\n", name, strings.Join(of, ", "))
		each(n, v, false, func(states []int, row []float64) {
			fmt.Fprintf(b, "    ( %s ) %s;\n", strings.Join(chosen(n, v, states), ", "), join(row, number, ", "))
		})
		b.WriteString("}\n")
	}
}

func agrumBIF(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("\nnetwork \"unnamedBN\" {\n// written by aGrUM 1.0\n   property software aGrUM;\n}\n\n")
	for v := range n.Len() {
		x := n.Variable(v)
		fmt.Fprintf(b, "variable %s {\n   type discrete[%d] {%s};\n}\n\n", x.Name, len(x.States),
			strings.Join(x.States, ", "))
	}
	for v := range n.Len() {
		name, of := n.Variable(v).Name, parents(n, v)
		if len(of) == 0 {
			fmt.Fprintf(b, "probability (%s) {\n   default %s;\n}\n", name, join(n.CPT(v).P, number, " "))
			continue
		}
		fmt.Fprintf(b, "probability (%s | %s) {\n", name, strings.Join(of, ", "))
		each(n, v, true, func(states []int, row []float64) {
			fmt.Fprintf(b, "   (%s) %s;\n", strings.Join(chosen(n, v, states), ", "), join(row, number, " "))
		})
		b.WriteString("}\n\n")
	}
}

// slowest are the numbers of v with the state of the child varying slowest.
func slowest(n *bn.Network, v int, number func(float64) string) string {
	var words []string
	for s := range n.Variable(v).States {
		each(n, v, false, func(_ []int, row []float64) { words = append(words, number(row[s])) })
	}
	return strings.Join(words, " ")
}

func javaBayesBIF(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("// Bayesian network \n// \n\nnetwork \"Internal-Network\" { //" + fmt.Sprint(n.Len()) +
		" variables and probability distributions\n\tproperty \"credal-set constant-density-bounded 1.1\" ;\n}\n")
	for v := range n.Len() {
		x := n.Variable(v)
		fmt.Fprintf(b, "variable  %q { //%d values\n\ttype discrete[%d] {  \"%s\" };\n\tproperty \"position = "+
			"(%d, 95)\" ;\n}\n",
			x.Name, len(x.States), len(x.States), strings.Join(x.States, "\"  \""), 10*v)
	}
	for v := range n.Len() {
		head := append([]string{n.Variable(v).Name}, parents(n, v)...)
		fmt.Fprintf(b, "probability (  \"%s\" ) { //%d variable(s) and %d values\n\ttable \n\t\t%s ;\n}\n",
			strings.Join(head, "\"  \""), len(head), len(n.CPT(v).P), slowest(n, v, number))
	}
}

func javaBayesOld(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n<!DOCTYPE BIF [\n\t<!ELEMENT PROBABILITY ( " +
		"FOR | GIVEN | " +
		"TABLE | ENTRY | DEFAULT | PROPERTY )* >\n]>\n<BIF " +
		"VERSION=\"0.2\">\n<NETWORK>\n<NAME>Internal-Network</NAME>\n")
	for v := range n.Len() {
		x := n.Variable(v)
		fmt.Fprintf(b, "<VARIABLE>\n\t<NAME>%s</NAME>\n\t<TYPE>discrete</TYPE>\n", x.Name)
		for _, s := range x.States {
			fmt.Fprintf(b, "\t<VALUE>%s</VALUE>\n", s)
		}
		fmt.Fprintf(b, "\t<PROPERTY>position = (%d, 7)</PROPERTY>\n</VARIABLE>\n", v)
	}
	for v := range n.Len() {
		fmt.Fprintf(b, "<PROBABILITY>\n\t<FOR>%s</FOR>\n", n.Variable(v).Name)
		for _, p := range parents(n, v) {
			fmt.Fprintf(b, "\t<GIVEN>%s</GIVEN>\n", p)
		}
		fmt.Fprintf(b, "\t<TABLE>%s </TABLE>\n</PROBABILITY>\n", slowest(n, v, number))
	}
	b.WriteString("</NETWORK>\n</BIF>\n")
}

// xmlBIF is XMLBIF 0.3, the state of the child varying fastest.
func xmlBIF(outcome string) func(*strings.Builder, *bn.Network, func(float64) string) {
	return func(b *strings.Builder, n *bn.Network, number func(float64) string) {
		b.WriteString("<?xml version=\"1.0\"?>\n<!-- DTD for the XMLBIF 0.3 format -->\n<!DOCTYPE BIF " +
			"[\n\t<!ELEMENT BIF ( " +
			"NETWORK )*>\n]>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n<NAME>bayesnet</NAME>\n")
		for v := range n.Len() {
			x := n.Variable(v)
			fmt.Fprintf(b, "<VARIABLE TYPE=\"nature\">\n\t<NAME>%s</NAME>\n", x.Name)
			for _, s := range x.States {
				fmt.Fprintf(b, "\t<%s>%s</%s>\n", outcome, s, outcome)
			}
			fmt.Fprintf(b, "\t<PROPERTY>position = (%d,73)</PROPERTY>\n</VARIABLE>\n", v)
		}
		for v := range n.Len() {
			fmt.Fprintf(b, "<DEFINITION>\n\t<FOR>%s</FOR>\n", n.Variable(v).Name)
			for _, p := range parents(n, v) {
				fmt.Fprintf(b, "\t<GIVEN>%s</GIVEN>\n", p)
			}
			b.WriteString("\t<TABLE>\n")
			each(n, v, false, func(_ []int, row []float64) { fmt.Fprintf(b, "%s \n", join(row, number, " ")) })
			b.WriteString("\t</TABLE>\n</DEFINITION>\n")
		}
		b.WriteString("</NETWORK>\n</BIF>\n")
	}
}

func unbbayes(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("<?xml version='1.0' encoding='US-ASCII'?>\n<xbifns:XMLBIF version=\"0.6\" xmlns:xbifns=" +
		"\"http://unbbayes.sourceforge.net/xml/XMLBIF_0_6.xsd\">\n<xbifns:header><xbifns:name>N</xbifns:name>" +
		"</xbifns:header>\n<xbifns:network>\n<xbifns:variables>\n")
	for v := range n.Len() {
		b.WriteString(unb(n.Variable(v).Name, n.Variable(v).States...))
	}
	b.WriteString("</xbifns:variables>\n<xbifns:conditionalDistributionSet>\n")
	for v := range n.Len() {
		var rows []string
		each(n, v, true, func(_ []int, row []float64) { rows = append(rows, join(row, number, " ")) })
		b.WriteString(unbTable(n.Variable(v).Name, strings.Join(parents(n, v), " "), strings.Join(rows, " ")))
	}
	b.WriteString("</xbifns:conditionalDistributionSet>\n</xbifns:network>\n</xbifns:XMLBIF>\n")
}

func tetrad(b *strings.Builder, n *bn.Network, number func(float64) string) {
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<bayesNet>\n  <bnVariables>\n")
	for v := range n.Len() {
		fmt.Fprintf(b, "    <discreteVariable name=\"%s\" index=\"%d\" x=\"-1\" y=\"-1\">\n", n.Variable(v).Name, v)
		for i, s := range n.Variable(v).States {
			fmt.Fprintf(b, "      <value name=\"%s\" index=\"%d\"/>\n", s, i)
		}
		b.WriteString("    </discreteVariable>\n")
	}
	b.WriteString("  </bnVariables>\n  <parents>\n")
	for v := range n.Len() {
		fmt.Fprintf(b, "    <parentsFor name=\"%s\">\n", n.Variable(v).Name)
		for i, p := range parents(n, v) {
			fmt.Fprintf(b, "      <parent name=\"%s\" index=\"%d\"/>\n", p, i)
		}
		b.WriteString("    </parentsFor>\n")
	}
	b.WriteString("  </parents>\n  <cpts rowSumTolerance=\"0.0001\">\n")
	for v := range n.Len() {
		fmt.Fprintf(b, "    <cpt variable=\"%s\" numRows=\"%d\" numCols=\"%d\">\n", n.Variable(v).Name,
			n.CPT(v).Configs().Len(), n.Variable(v).Cardinality())
		each(n, v, false, func(_ []int, row []float64) {
			fmt.Fprintf(b, "      "+
				"<row>%s</row>\n", join(row, number, " "))
		})
		b.WriteString("    </cpt>\n")
	}
	b.WriteString("  </cpts>\n</bayesNet>\n")
}
