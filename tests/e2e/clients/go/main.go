// The unmodified Go clients as drivers: `go-clients franz` or `go-clients lensesio`, with ACCORD_URL and
// ACCORD_TOKEN. Answers the calls of tests/e2e/clients/driver.py: one line of JSON in, one out.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"
)

// Arguments of all calls; each call takes what it needs.
type arguments struct {
	Subject    string          `json:"subject"`
	Schema     string          `json:"schema"`
	SchemaType string          `json:"schemaType"`
	References json.RawMessage `json:"references"`
	Version    int             `json:"version"`
	ID         int             `json:"id"`
	GUID       string          `json:"guid"`
	Level      string          `json:"level"`
	Mode       string          `json:"mode"`
	Context    string          `json:"context"`
	Permanent  bool            `json:"permanent"`
	Value      string          `json:"value"`
	Payload    []byte          `json:"payload"`
}

type (
	call    func(arguments) (any, error)
	calls   map[string]call
	failure struct {
		Status  *int   `json:"status"`
		Code    *int   `json:"code"`
		Message string `json:"message"`
	}
	answer struct {
		Result any      `json:"result"`
		Error  *failure `json:"error"`
	}
)

func main() {
	table, explain := map[string]func() (calls, func(error) *failure){
		"franz":    franz,
		"lensesio": lensesio,
	}[os.Args[1]]()
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var given struct {
			Call      string    `json:"call"`
			Arguments arguments `json:"arguments"`
		}
		if err := in.Decode(&given); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		var said answer
		if result, err := table[given.Call](given.Arguments); err != nil {
			said.Error = explain(err)
		} else {
			said.Result = result
		}
		if err := out.Encode(said); err != nil {
			log.Fatal(err)
		}
	}
}
