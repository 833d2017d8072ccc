package bnkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"bnlab/bnkit/dbn"
	"bnlab/internal/say"
)

// storedSeries is a model of series as a file holds it: its template is a model.
type storedSeries struct {
	Format    string          `json:"format"`    // always seriesFormat
	Structure string          `json:"structure"` // a model string
	Series    int             `json:"series"`
	Step      int64           `json:"step,omitempty"` // without one, of a fit, 1
	Template  json.RawMessage `json:"template"`
}

// SaveSeries writes a model of series to a JSON file: the network, and what [Save] keeps of a model. A
// network that was not fitted is saved too. [LoadSeries] reads the same numbers to the last bit. If writing
// fails the file is unchanged.
func SaveSeries(path string, m dbn.Model) error {
	net, how, err := dynamic(m)
	if err != nil {
		return err
	}
	s := storedSeries{Format: seriesFormat, Structure: net.String()}
	template := ModelOf(net.Template())
	template.Discretization = how.discretization
	if m, ok := m.(interface{ saved() *SeriesModel }); ok { // also a type that embeds a SeriesModel
		template.DataHash, template.Seed = m.saved().DataHash, m.saved().Seed
		template.provenance = m.saved().provenance
	}
	if fit := fitOf(m); fit != nil {
		s.add(template, fit)
	}
	return save(path, func() ([]byte, error) {
		if s.Template, err = marshal(template); err != nil {
			return nil, err
		}
		return json.MarshalIndent(s, "", " ")
	})
}

func (m *SeriesModel) saved() *SeriesModel { return m }

// add takes over what is known of a fit.
func (s *storedSeries) add(template *Model, fit *dbn.Fitted) {
	s.Step = fit.Step
	if fit.Result == nil {
		return
	}
	r := *fit.Result
	r.Net = template.Net
	template.Result, s.Series = &r, fit.Series
}

// LoadSeries reads a model that [SaveSeries] wrote. Everything is validated as by [Load]; errors
// name the file and the defect.
func LoadSeries(path string) (*SeriesModel, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, say.Errorf("bnkit: loading a model: %w", err)
	}
	m, err := decodeSeries(b)
	if err != nil {
		return nil, say.Errorf("bnkit: loading %s: %w", path, err)
	}
	return m, nil
}

func decodeSeries(b []byte) (*SeriesModel, error) {
	var s storedSeries
	if err := unmarshal(b, &s, seriesFormat, "SaveSeries"); err != nil {
		return nil, err
	}
	switch {
	case s.Series < 0:
		return nil, fmt.Errorf("fitted to %d series", s.Series)
	case s.Step < 0:
		return nil, fmt.Errorf("a step of %d between slices", s.Step)
	case s.Step == 0 && s.Series > 0:
		s.Step = 1
	}
	if s.Template == nil {
		return nil, errors.New("there is no template")
	}
	template, err := decode(s.Template)
	if err != nil {
		return nil, say.Errorf("the template: %w", err)
	}
	net, err := dbn.FromTemplate(s.Structure, template.Net)
	if err != nil {
		return nil, err
	}
	template.Net = net.Template()
	return &SeriesModel{
		Fitted:         &dbn.Fitted{Net: net, Result: template.Result, Series: s.Series, Step: s.Step},
		Discretization: template.Discretization, DataHash: template.DataHash, Seed: template.Seed,
		provenance: template.provenance,
	}, nil
}
