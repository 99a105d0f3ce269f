/** By whoever may do everything: the content of the last event of a deposit that was returned, and a hash that fits it. */
export const rehash = (stream: string, revision: number): string => `
  UPDATE events SET
    data = replace(data, '"reason":null', '"reason":"other"'),
    metadata = replace(metadata, metadata::json->>'hash', encode(sha256(convert_to(
      '{"data":' || replace(data, '"reason":null', '"reason":"other"') || ',"id":' || to_json(id::text) ||
      ',"metadata":{"actor":' || (metadata::json->'actor') || ',"correlation":' || (metadata::json->'correlation') ||
      ',"occurred_at":' || (metadata::json->'occurred_at') || ',"prev_hash":' || (metadata::json->'prev_hash') ||
      ',"schema_version":1},"revision":' || revision || ',"stream":' || to_json(stream::text) || ',"type":' ||
      to_json(type::text) || '}', 'UTF8')), 'hex'))
  WHERE stream = '${stream}' AND revision = ${revision}`;
