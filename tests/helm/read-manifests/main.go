// Reads manifests from standard input as the API server of Kubernetes would: with its own types, refusing
// fields that they do not have and values of the wrong kind. Prints what is wrong; the exit code tells.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

// Kinds of others, whose types are not in this program.
const foreign = "monitoring.coreos.com/"

func main() {
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	codec := json.NewSerializerWithOptions(
		json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{Yaml: true, Strict: true},
	)
	code, read := 0, 0
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		_, kind, err := codec.Decode(document, nil, nil)
		known := !runtime.IsNotRegisteredError(err) || !strings.HasPrefix(kind.GroupVersion().String(), foreign)
		if err != nil && known {
			fmt.Println(err)
			code = 1
		}
		read++
	}
	fmt.Printf("%d read\n", read)
	os.Exit(code)
}
