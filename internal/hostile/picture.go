package main

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
	"bnlab/internal/say"
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

// throughPicture draws a network and reads the SVG as a browser would.
func throughPicture(_ *trial, net *bn.Network) error {
	f, err := viz.Network(net, nil)
	if err != nil {
		return refused(err)
	}
	svg, err := f.SVG()
	if err != nil {
		return refused(err)
	}
	for _, note := range f.Notes() {
		if err := presentable(note); err != nil {
			return err
		}
	}
	return harmless(svg)
}

var refusedElements = []string{"script", "foreignObject", "iframe", "image", "a", "use", "animate"}

// harmless is an error for XML that is not well formed, or holds what runs or loads something.
func harmless(doc []byte) error {
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return say.Errorf("the picture is no XML: %w", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if slices.Contains(refusedElements, e.Name.Local) {
			return say.Errorf("the picture has an element %q", e.Name.Local)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "script:") {
				return say.Errorf("the picture has an attribute %s=%q", a.Name.Local, a.Value)
			}
		}
	}
}
