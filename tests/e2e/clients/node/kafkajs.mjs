// The unmodified @kafkajs/confluent-schema-registry as a driver: ACCORD_URL, ACCORD_TOKEN.
import kafkajs from "@kafkajs/confluent-schema-registry";
import { serve } from "./lines.mjs";

const { SchemaRegistry, SchemaType } = kafkajs;

/** Make a client with nothing in its caches. */
function connect() {
  const { ACCORD_URL: host, ACCORD_TOKEN: password } = process.env;
  return new SchemaRegistry({ host, auth: { username: "api-key", password }, retry: { retries: 0 } });
}

const schema = ({ schemaType, schema: text, references }) => ({ type: SchemaType[schemaType], schema: text, references });

const CALLS = {
  register: async ({ subject, level, ...info }) =>
    (await connect().register(schema(info), { subject, ...(level && { compatibility: level }) })).id,
  lookup: async ({ subject, ...info }) => ({ id: await connect().getRegistryIdBySchema(subject, schema(info)) }),
  latest: async ({ subject }) => ({ id: await connect().getLatestSchemaId(subject) }),
  version: async ({ subject, version }) => ({ id: await connect().getRegistryId(subject, version) }),
  encode: async ({ id, value }) => (await connect().encode(id, value)).toString("base64"),
  decode: ({ payload, reader }) =>
    connect().decode(Buffer.from(payload, "base64"), reader && { [SchemaType.AVRO]: { readerSchema: reader } }),
};

await serve(CALLS, (error) => ({ status: error.status ?? null, code: null, message: String(error.message) }));
