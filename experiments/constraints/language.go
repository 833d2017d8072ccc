package constraints

import "bnlab/bnkit/bn"

// Corpus is a made-up text in English and Spanish together: one distribution of words.
// The words about computers have the same proportions in both languages, and so have
// those about business, though each subject takes a larger part of one language.
func Corpus() (*bn.Network, error) {
	return world("[word]", []bn.Variable{bn.Discrete("word",
		"computer", "mouse", "monitor", "keyboard", "ordenador", "ratón", "pantalla", "teclado",
		"business", "money", "firm", "negocio", "dinero", "empresa", "English", "Spanish"),
	}, map[string]string{
		"word": `computer mouse monitor keyboard ordenador ratón pantalla teclado business money firm negocio dinero empresa English Spanish
		         0.10     0.04  0.04    0.02     0.04      0.016 0.016    0.008   0.04     0.04  0.02 0.06    0.06   0.03    0.27    0.20`,
	})
}

// Emails are made-up emails of three groups of senders: six words are as frequent in all
// of them, six others are not.
func Emails() (*bn.Network, error) {
	return world("[sender][word|sender]", []bn.Variable{
		bn.Discrete("sender", "student", "staff", "professor"),
		bn.Discrete("word", "the", "to", "and", "please", "thanks", "meeting", "exam", "party", "grade", "grant",
			"budget", "form"),
	}, map[string]string{
		"sender": "student staff professor\n0.5 0.2 0.3",
		"word": `sender    | the  to   and  please thanks meeting exam party grade grant budget form
		         student   | 0.12 0.10 0.09 0.06   0.05   0.04    0.22 0.14  0.10  0.01  0.02   0.05
		         staff     | 0.12 0.10 0.09 0.06   0.05   0.04    0.03 0.02  0.04  0.05  0.20   0.20
		         professor | 0.12 0.10 0.09 0.06   0.05   0.04    0.12 0.01  0.15  0.16  0.05   0.05`,
	})
}

// FourLanguages are made-up texts in two Latin and two Slavic languages: international
// words (computer, radio, hotel) are as frequent in all four, the words for water, bread
// and wine within each family; names of a country's own things only there.
func FourLanguages() (*bn.Network, error) {
	return world("[language][word|language]", []bn.Variable{
		bn.Discrete("language", "Spanish", "Italian", "Russian", "Bulgarian"),
		bn.Discrete("word", "computer", "radio", "hotel", "water", "bread", "wine", "dish", "feast", "other"),
	}, map[string]string{
		"word": `language  | computer radio hotel water bread wine dish feast other
		         Spanish   | 0.05     0.06  0.04  0.12  0.08  0.10 0.10 0.20  0.25
		         Italian   | 0.05     0.06  0.04  0.12  0.08  0.10 0.25 0.05  0.25
		         Russian   | 0.05     0.06  0.04  0.10  0.15  0.03 0.12 0.15  0.30
		         Bulgarian | 0.05     0.06  0.04  0.10  0.15  0.03 0.20 0.22  0.15`,
	})
}

// TwoLanguages are made-up texts in which nouns (the first six words) are four words of
// ten in both languages, and the words about computers (the first four) have the same
// proportions, though they are more frequent in Spanish.
func TwoLanguages() (*bn.Network, error) {
	return world("[language][word|language]", []bn.Variable{
		bn.Discrete("language", "Italian", "Spanish"),
		bn.Discrete("word", "computer", "mouse", "monitor", "keyboard", "house", "bread", "run", "eat", "sleep",
			"small", "other"),
	}, map[string]string{
		"word": `language | computer mouse monitor keyboard house bread run  eat  sleep small other
		         Italian  | 0.04     0.016 0.016   0.008    0.20  0.12  0.10 0.20 0.05  0.10  0.15
		         Spanish  | 0.10     0.04  0.04    0.02     0.08  0.12  0.05 0.10 0.15  0.05  0.25`,
	})
}

// Grammar is how often made-up texts use each part of speech. In each language adverbs
// (of manner, of degree) are rarer than verbs (auxiliaries among them), and in English
// nouns (names among them) are fewer than four words of ten.
func Grammar() (*bn.Network, error) {
	return world("[language][class|language]", []bn.Variable{
		bn.Discrete("language", "English", "Italian", "Spanish"),
		bn.Discrete("class", "noun", "name", "verb", "auxiliary", "manner", "degree", "adjective", "function"),
	}, map[string]string{
		"language": "English Italian Spanish\n0.4 0.3 0.3",
		"class": `language | noun name verb auxiliary manner degree adjective function
		          English  | 0.27 0.10 0.11 0.05      0.03   0.09   0.07      0.28
		          Italian  | 0.24 0.06 0.13 0.05      0.06   0.10   0.08      0.28
		          Spanish  | 0.25 0.07 0.12 0.04      0.05   0.09   0.09      0.29`,
	})
}
