package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"

	"github.com/twmb/franz-go/pkg/sr"
)

// franz is the client of Redpanda Console and Connect.
func franz() (calls, func(error) *failure) {
	client, err := sr.NewClient(sr.URLs(os.Getenv("ACCORD_URL")), sr.BearerToken(os.Getenv("ACCORD_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	table := calls{
		"register": func(a arguments) (any, error) {
			schema, err := described(a)
			if err != nil {
				return nil, err
			}
			return client.RegisterSchema(within(ctx, a), a.Subject, schema, -1, -1)
		},
		"register_as": func(a arguments) (any, error) {
			schema, err := described(a)
			if err != nil {
				return nil, err
			}
			return client.RegisterSchema(ctx, a.Subject, schema, a.ID, a.Version)
		},
		"lookup": func(a arguments) (any, error) {
			schema, err := described(a)
			if err != nil {
				return nil, err
			}
			return client.LookupSchema(within(ctx, a), a.Subject, schema)
		},
		"compatible": func(a arguments) (any, error) {
			schema, err := described(a)
			if err != nil {
				return nil, err
			}
			checked, err := client.CheckCompatibility(ctx, a.Subject, -1, schema)
			return checked.Is, err
		},
		"by_id":    func(a arguments) (any, error) { return client.SchemaByID(within(ctx, a), a.ID) },
		"by_guid":  func(a arguments) (any, error) { return client.SchemaByGUID(ctx, a.GUID) },
		"text":     func(a arguments) (any, error) { return client.SchemaTextByVersion(ctx, a.Subject, a.Version) },
		"latest":   func(a arguments) (any, error) { return client.SchemaByVersion(ctx, a.Subject, -1) },
		"version":  func(a arguments) (any, error) { return client.SchemaByVersion(ctx, a.Subject, a.Version) },
		"versions": func(a arguments) (any, error) { return client.SubjectVersions(within(ctx, a), a.Subject) },
		"subjects": func(a arguments) (any, error) { return client.Subjects(within(ctx, a)) },
		"usages":   func(a arguments) (any, error) { return client.SchemaUsagesByID(ctx, a.ID) },
		"referrers": func(a arguments) (any, error) {
			return client.SchemaReferences(ctx, a.Subject, a.Version)
		},
		"types":    func(arguments) (any, error) { return client.SupportedTypes(ctx) },
		"contexts": func(arguments) (any, error) { return client.Contexts(ctx) },
		"delete_context": func(a arguments) (any, error) {
			return nil, client.DeleteContext(ctx, a.Context)
		},
		"delete": func(a arguments) (any, error) {
			return client.DeleteSubject(within(ctx, a), a.Subject, sr.DeleteHow(a.Permanent))
		},
		"delete_version": func(a arguments) (any, error) {
			return nil, client.DeleteSchema(ctx, a.Subject, a.Version, sr.DeleteHow(a.Permanent))
		},
		"level": func(a arguments) (any, error) {
			read := client.Compatibility(sr.WithParams(ctx, sr.DefaultToGlobal), a.Subject)[0]
			return read.Level, read.Err
		},
		"set_level": func(a arguments) (any, error) {
			var level sr.CompatibilityLevel
			if err := level.UnmarshalText([]byte(a.Level)); err != nil {
				return nil, err
			}
			written := client.SetCompatibility(ctx, sr.SetCompatibility{Level: level}, a.Subject)[0]
			return written.Level, written.Err
		},
		// The client looks for the level under another name than Confluent's answer has.
		"reset_level": func(a arguments) (any, error) {
			return nil, client.ResetCompatibility(ctx, a.Subject)[0].Err
		},
		"mode": func(a arguments) (any, error) {
			read := client.Mode(sr.WithParams(ctx, sr.DefaultToGlobal), a.Subject)[0]
			return read.Mode, read.Err
		},
		"set_mode": func(a arguments) (any, error) {
			var mode sr.Mode
			if err := mode.UnmarshalText([]byte(a.Mode)); err != nil {
				return nil, err
			}
			written := client.SetMode(ctx, mode, a.Subject)[0]
			return written.Mode, written.Err
		},
		"reset_mode": func(a arguments) (any, error) {
			read := client.ResetMode(ctx, a.Subject)[0]
			return read.Mode, read.Err
		},
		"encode": func(a arguments) (any, error) {
			return new(sr.ConfluentHeader).AppendEncode(nil, a.ID, nil)
		},
		"decode": func(a arguments) (any, error) {
			id, _, err := new(sr.ConfluentHeader).DecodeID(a.Payload)
			return id, err
		},
	}
	return table, func(err error) *failure {
		said := &failure{Message: err.Error()}
		var refused *sr.ResponseError
		if errors.As(err, &refused) {
			said.Status, said.Code = &refused.StatusCode, &refused.ErrorCode
		}
		return said
	}
}

func within(ctx context.Context, a arguments) context.Context {
	if a.Context == "" {
		return ctx
	}
	return sr.InContext(ctx, a.Context)
}

func described(a arguments) (sr.Schema, error) {
	schema := sr.Schema{Schema: a.Schema}
	if err := schema.Type.UnmarshalText([]byte(a.SchemaType)); err != nil {
		return schema, err
	}
	if a.References != nil {
		return schema, json.Unmarshal(a.References, &schema.References)
	}
	return schema, nil
}
