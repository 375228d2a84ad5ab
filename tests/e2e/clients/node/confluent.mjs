// The unmodified @confluentinc/schemaregistry as a driver: ACCORD_URL, ACCORD_TOKEN.
import { create, createFileRegistry, createMutableRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import sr from "@confluentinc/schemaregistry";
import { serve } from "./lines.mjs";

sr.CelExecutor.register();
sr.CelFieldExecutor.register();
sr.JsonataExecutor.register();

const SERDES = {
  AVRO: [sr.AvroSerializer, sr.AvroDeserializer],
  JSON: [sr.JsonSerializer, sr.JsonDeserializer],
  PROTOBUF: [sr.ProtobufSerializer, sr.ProtobufDeserializer],
};

/** Make a client with nothing in its caches. */
function connect(auth = "basic") {
  const { ACCORD_URL: url, ACCORD_TOKEN: token } = process.env;
  const credentials =
    auth === "basic"
      ? { basicAuthCredentials: { credentialsSource: "USER_INFO", userInfo: `api-key:${token}` } }
      : {
          bearerAuthCredentials: {
            credentialsSource: "STATIC_TOKEN",
            token,
            logicalCluster: "lsrc-any",
            identityPoolId: "pool-any",
          },
        };
  return new sr.SchemaRegistryClient({ baseURLs: [url], ...credentials });
}

const client = connect();

function settings({ strategy, guid, ...rest }) {
  return {
    ...rest,
    ...(strategy && { subjectNameStrategyType: strategy }),
    ...(guid && { schemaIdSerializer: sr.HeaderSchemaIdSerializer }),
  };
}

/** Make the value that a serializer takes: a message for Protobuf, and where its description is found. */
function message({ type, value, descriptors, message: name }) {
  if (type !== "PROTOBUF") return { value };
  const files = createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptors, "base64")));
  const described = files.getMessage(name);
  return { value: create(described, value), registry: createMutableRegistry(described) };
}

const CALLS = {
  register: ({ subject, normalize = false, ...info }) => client.register(subject, info, normalize),
  register_full: ({ subject, ...info }) => client.registerFullResponse(subject, info, false),
  lookup: async ({ subject, ...info }) => {
    const found = await connect().getIdFullResponse(subject, info, false);
    return { id: found.id, version: found.version };
  },
  by_id: ({ id, subject, format }) => connect().getBySubjectAndId(subject, id, format),
  by_guid: ({ guid }) => connect().getByGuid(guid),
  latest: ({ subject }) => connect().getLatestSchemaMetadata(subject),
  version: ({ subject, version }) => connect().getSchemaMetadata(subject, version, false),
  with_metadata: ({ subject, metadata }) => connect().getLatestWithMetadata(subject, metadata, false),
  versions: ({ subject }) => client.getAllVersions(subject),
  subjects: () => client.getAllSubjects(),
  delete: ({ subject, permanent }) => client.deleteSubject(subject, permanent),
  delete_version: ({ subject, version }) => client.deleteSubjectVersion(subject, version, false),
  compatible: ({ subject, ...info }) => client.testSubjectCompatibility(subject, info),
  level: ({ subject }) => client.getCompatibility(subject),
  set_level: ({ subject, level }) => client.updateCompatibility(subject, level),
  default_level: () => client.getDefaultCompatibility(),
  config: ({ subject }) => client.getConfig(subject),
  set_config: ({ subject, config }) => client.updateConfig(subject, config),
  associations: ({ topic }) => client.getAssociationsByResourceName(topic, "-", "topic", ["value"], null, 0, -1),
  subjects_with: ({ auth }) => connect(auth).getAllSubjects(),
  serialize: async ({ topic, type, conf, ...given }) => {
    const { value, registry } = message({ type, ...given });
    const [Serializer] = SERDES[type];
    const serializer = new Serializer(connect(), sr.SerdeType.VALUE, { ...settings(conf), registry });
    const headers = {};
    const payload = await serializer.serialize(topic, value, headers);
    const header = headers[sr.VALUE_SCHEMA_ID_HEADER];
    return { payload: payload.toString("base64"), header: header && header.toString("base64") };
  },
  deserialize: async ({ topic, type, conf, payload, header }) => {
    const [, Deserializer] = SERDES[type];
    const deserializer = new Deserializer(connect(), sr.SerdeType.VALUE, settings(conf));
    const headers = header ? { [sr.VALUE_SCHEMA_ID_HEADER]: Buffer.from(header, "base64") } : {};
    return deserializer.deserialize(topic, Buffer.from(payload, "base64"), headers);
  },
};

await serve(CALLS, (error) => ({
  status: error.status ?? null,
  code: error.errorCode ?? null,
  message: String(error.message),
}));
