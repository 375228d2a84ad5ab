package main

import (
	"log"
	"net/url"
	"os"

	registry "github.com/lensesio/schema-registry"
)

// lensesio sends its bodies in chunks and without a Content-Type, and writes a subject into the path as it is.
func lensesio() (calls, func(error) *failure) {
	address, err := url.Parse(os.Getenv("ACCORD_URL"))
	if err != nil {
		log.Fatal(err)
	}
	address.User = url.UserPassword("api-key", os.Getenv("ACCORD_TOKEN"))
	client, err := registry.NewClient(address.String())
	if err != nil {
		log.Fatal(err)
	}
	table := calls{
		"register": func(a arguments) (any, error) { return client.RegisterNewSchema(a.Subject, a.Schema) },
		"lookup": func(a arguments) (any, error) {
			found, schema, err := client.IsRegistered(a.Subject, a.Schema)
			if err != nil || !found {
				return nil, err
			}
			return map[string]int{"id": schema.Id, "version": schema.Version}, nil
		},
		"by_id": func(a arguments) (any, error) {
			text, err := client.GetSchemaById(a.ID)
			return map[string]string{"schema": text}, err
		},
		"version":  func(a arguments) (any, error) { return client.GetSchemaBySubject(a.Subject, a.Version) },
		"latest":   func(a arguments) (any, error) { return client.GetLatestSchema(a.Subject) },
		"versions": func(a arguments) (any, error) { return client.Versions(a.Subject) },
		"subjects": func(arguments) (any, error) { return client.Subjects() },
	}
	// Its error carries neither status nor code but in its text.
	return table, func(err error) *failure { return &failure{Message: err.Error()} }
}
