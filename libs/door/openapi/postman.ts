import type { OpenAPIObject } from '@nestjs/swagger';
import { methods, type Operation, type PathItem } from './open-api.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const named = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

const authOf = ({ security = [] }: Operation) => {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.includes('api_key'))
    return { type: 'apikey', apikey: named({ key: 'X-API-Key', value: '{{api_key}}', in: 'header' }) };
  if (schemes.includes('operator_token')) return { type: 'bearer', bearer: named({ token: '{{operator_token}}' }) };
  return { type: 'noauth' };
};

const parametersIn = ({ parameters = [] }: Operation, place: 'path' | 'query') =>
  parameters.flatMap((one) => {
    if (!('in' in one) || one.in !== place) return [];
    const { example } = one.schema && !('$ref' in one.schema) ? one.schema : one;
    const value = String(one.example ?? example ?? '');
    return [{ key: one.name, value, description: one.description, disabled: place === 'query' && !one.required }];
  });

const bodyOf = ({ requestBody }: Operation) => {
  const media = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  const { example, examples } = media ?? {};
  const [first] = Object.values(examples ?? {});
  const value = example ?? (first && 'value' in first ? first.value : undefined);
  if (value === undefined) return {};
  return {
    header: named({ 'Content-Type': 'application/json' }),
    body: { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } },
  };
};

const requestsOf = ([template, item]: readonly [string, PathItem]) =>
  methods.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const host = item.servers?.[0]?.url ?? '{{url}}';
    const path = template.replace(/\{(\w+)\}/g, ':$1');
    const query = parametersIn(operation, 'query');
    const url = {
      raw: host + path,
      host: [host],
      path: path.split('/').slice(1),
      query,
      variable: parametersIn(operation, 'path'),
    };
    const { description, summary: name } = operation;
    const request = { method: method.toUpperCase(), description, auth: authOf(operation), url, ...bodyOf(operation) };
    return [{ tag: operation.tags?.[0] ?? '', item: { name, request } }];
  });

/**
 * The document as a collection that Postman, Bruno and Insomnia take in: a folder for each tag, keys as variables. It is
 * large, and made once for whatever address the service is called by.
 */
export const postmanCollection = ({ info, paths }: OpenAPIObject): ((url: string) => string) => {
  const folders = Map.groupBy(Object.entries(paths).flatMap(requestsOf), ({ tag }) => tag);
  const about = JSON.stringify({ name: info.title, description: info.description, schema: SCHEMA });
  const items = JSON.stringify(
    [...folders].map(([name, requests]) => ({ name, item: requests.map(({ item }) => item) })),
  );
  return (url) => {
    const variables = JSON.stringify(named({ url, api_key: '', operator_token: '' }));
    return `{"info":${about},"variable":${variables},"item":${items}}`;
  };
};
