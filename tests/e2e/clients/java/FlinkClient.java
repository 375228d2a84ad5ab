// The Confluent Java client inside Flink's Avro format, and that format's own (de)serialization schemas, as a
// driver: ACCORD_URL and ACCORD_TOKEN. Answers the calls of tests/e2e/clients/driver.py: one line of JSON in,
// one out.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.avro.AvroSchema;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.SchemaMetadata;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.RestService;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.entities.Config;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.entities.Metadata;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import org.apache.flink.avro.shaded.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.avro.shaded.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.avro.shaded.org.apache.avro.Schema;
import org.apache.flink.avro.shaded.org.apache.avro.generic.GenericData;
import org.apache.flink.avro.shaded.org.apache.avro.generic.GenericRecord;
import org.apache.flink.formats.avro.registry.confluent.ConfluentRegistryAvroDeserializationSchema;
import org.apache.flink.formats.avro.registry.confluent.ConfluentRegistryAvroSerializationSchema;

final class FlinkClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String URL = System.getenv("ACCORD_URL");
    private static final Map<String, ?> SETTINGS =
            Map.of(
                    "basic.auth.credentials.source", "USER_INFO",
                    "basic.auth.user.info", "api-key:" + System.getenv("ACCORD_TOKEN"));
    private static final int CAPACITY = 1000;

    private interface Call {
        Object make(JsonNode given) throws Exception;
    }

    private final RestService rest = new RestService(URL);
    private final CachedSchemaRegistryClient client = new CachedSchemaRegistryClient(rest, CAPACITY, SETTINGS);
    private final Map<String, Call> calls = new LinkedHashMap<>();

    public static void main(String[] arguments) throws Exception {
        new FlinkClient().serve();
    }

    private FlinkClient() {
        schemas();
        subjects();
        settings();
        records();
    }

    private void serve() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode given = JSON.readTree(line);
            Map<String, Object> answer = new LinkedHashMap<>();
            try {
                answer.put("result", calls.get(given.get("call").asText()).make(given.get("arguments")));
            } catch (Exception thrown) {
                answer.put("error", explained(thrown));
            }
            out.println(JSON.writeValueAsString(answer));
        }
    }

    private static Map<String, Object> explained(Throwable thrown) {
        Throwable cause = thrown;
        while (!(cause instanceof RestClientException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("status", cause instanceof RestClientException refused ? refused.getStatus() : null);
        told.put("code", cause instanceof RestClientException refused ? refused.getErrorCode() : null);
        told.put("message", String.valueOf(cause.getMessage()));
        return told;
    }

    private void schemas() {
        calls.put("register", given -> client.register(subject(given), schema(given)));
        calls.put("register_normalized", given -> client.register(subject(given), schema(given), true));
        calls.put(
                "register_as",
                given ->
                        client.register(
                                subject(given),
                                schema(given),
                                given.get("version").asInt(),
                                given.get("id").asInt()));
        calls.put("lookup", given -> Map.of("version", fresh().getVersion(subject(given), schema(given))));
        calls.put("lookup_id", given -> fresh().getId(subject(given), schema(given)));
        calls.put("by_id", given -> Map.of("schema", fresh().getSchemaById(id(given)).canonicalString()));
        calls.put(
                "by_subject_and_id",
                given -> fresh().getSchemaBySubjectAndId(subject(given), id(given)).canonicalString());
        calls.put("subjects_of_id", given -> fresh().getAllSubjectsById(id(given)));
        calls.put("versions_of_id", given -> fresh().getAllVersionsById(id(given)));
        calls.put("latest", given -> told(fresh().getLatestSchemaMetadata(subject(given))));
        calls.put(
                "version",
                given -> told(fresh().getSchemaMetadata(subject(given), given.get("version").asInt())));
        calls.put(
                "with_metadata",
                given ->
                        told(
                                fresh().getLatestWithMetadata(
                                        subject(given),
                                        JSON.convertValue(given.get("metadata"), Map.class),
                                        false)));
    }

    private void subjects() {
        calls.put("versions", given -> client.getAllVersions(subject(given)));
        calls.put("subjects", given -> client.getAllSubjects());
        calls.put("subjects_by_prefix", given -> client.getAllSubjectsByPrefix(given.get("prefix").asText()));
        calls.put("schemas", given -> client.getSchemas(given.get("prefix").asText(), false, true).size());
        calls.put("contexts", given -> rest.getAllContexts());
        calls.put(
                "delete",
                given -> client.deleteSubject(subject(given), given.path("permanent").asBoolean()));
        calls.put(
                "delete_version",
                given -> client.deleteSchemaVersion(subject(given), given.get("version").asText()));
    }

    private void settings() {
        calls.put("compatible", given -> client.testCompatibility(subject(given), schema(given)));
        calls.put("compatible_verbose", given -> client.testCompatibilityVerbose(subject(given), schema(given)));
        calls.put("level", given -> client.getCompatibility(subject(given)));
        calls.put(
                "set_level",
                given -> client.updateCompatibility(subject(given), given.get("level").asText()));
        calls.put(
                "reset_level",
                given -> {
                    client.deleteCompatibility(subject(given));
                    return null;
                });
        calls.put("config", given -> client.getConfig(subject(given)));
        calls.put(
                "set_config",
                given -> client.updateConfig(subject(given), JSON.convertValue(given.get("config"), Config.class)));
        calls.put("mode", given -> client.getMode(subject(given)));
        calls.put(
                "set_mode",
                given ->
                        client.setMode(
                                given.get("mode").asText(), subject(given), given.path("force").asBoolean()));
        calls.put(
                "reset_mode",
                given -> {
                    client.deleteMode(subject(given));
                    return null;
                });
    }

    private void records() {
        calls.put(
                "serialize",
                given -> {
                    Schema schema = new Schema.Parser().parse(given.get("schema").asText());
                    GenericRecord record = new GenericData.Record(schema);
                    given.get("value").fields().forEachRemaining(
                            field -> record.put(field.getKey(), plain(field.getValue())));
                    byte[] written =
                            ConfluentRegistryAvroSerializationSchema.forGeneric(
                                            subject(given), schema, URL, SETTINGS)
                                    .serialize(record);
                    return Map.of("payload", Base64.getEncoder().encodeToString(written));
                });
        calls.put(
                "deserialize",
                given -> {
                    Schema reader = new Schema.Parser().parse(given.get("schema").asText());
                    byte[] payload = Base64.getDecoder().decode(given.get("payload").asText());
                    GenericRecord record =
                            ConfluentRegistryAvroDeserializationSchema.forGeneric(reader, URL, SETTINGS)
                                    .deserialize(payload);
                    return JSON.readTree(record.toString());
                });
    }

    /** A client with nothing in its caches. */
    private static CachedSchemaRegistryClient fresh() {
        return new CachedSchemaRegistryClient(URL, CAPACITY, SETTINGS);
    }

    private AvroSchema schema(JsonNode given) throws Exception {
        List<SchemaReference> references = new ArrayList<>();
        Map<String, String> resolved = new LinkedHashMap<>();
        for (JsonNode one : given.path("references")) {
            SchemaReference reference = JSON.convertValue(one, SchemaReference.class);
            references.add(reference);
            resolved.put(
                    reference.getName(),
                    client.getSchemaMetadata(reference.getSubject(), reference.getVersion()).getSchema());
        }
        Metadata metadata =
                given.hasNonNull("metadata") ? JSON.convertValue(given.get("metadata"), Metadata.class) : null;
        return new AvroSchema(given.get("schema").asText(), references, resolved, metadata, null, null, false);
    }

    private static Map<String, Object> told(SchemaMetadata found) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("id", found.getId());
        told.put("version", found.getVersion());
        told.put("schema", found.getSchema());
        told.put("schemaType", found.getSchemaType());
        told.put("references", found.getReferences());
        told.put("metadata", found.getMetadata());
        return told;
    }

    private static Object plain(JsonNode value) {
        return value.isIntegralNumber() ? (Object) value.asLong() : value.asText();
    }

    private static String subject(JsonNode given) {
        return given.hasNonNull("subject") ? given.get("subject").asText() : null;
    }

    private static int id(JsonNode given) {
        return given.get("id").asInt();
    }
}
