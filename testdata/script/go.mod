module example.com/script

go 1.26.0

require bnlab v0.0.0

require (
	github.com/go-gota/gota v0.12.0 // indirect
	golang.org/x/net v0.61.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace bnlab => ../..
