import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of a document that the house changes, by short names. */
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Responses = Operation['responses'];
export type Response = Extract<Responses[string], { readonly description: string }>;
export type Content = NonNullable<Response['content']>;
export type MediaType = Content[string];
export type SchemaOrRef = NonNullable<MediaType['schema']>;
export type Schema = Exclude<SchemaOrRef, { readonly $ref: string }>;
export type Schemas = Readonly<Record<string, SchemaOrRef>>;

export const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export type ChangeOperation = (operation: Operation, method: Method) => Operation;

const changedItem = (item: PathItem, change: ChangeOperation): PathItem => {
  const changed = methods.flatMap((method) => {
    const operation = item[method];
    return operation ? [[method, change(operation, method)] as const] : [];
  });
  return { ...item, ...Object.fromEntries(changed) };
};

export const mapOperations = (document: OpenAPIObject, change: ChangeOperation): OpenAPIObject => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, changedItem(item, change)])),
});

/** None of ours is a reference. */
export const isResponse = (response: Responses[string]): response is Response =>
  response !== undefined && 'description' in response;

export const mapResponses = (
  { responses, ...operation }: Operation,
  change: (response: Response, status: string) => Response,
): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      isResponse(response) ? change(response, status) : response,
    ]),
  ),
});

/** The schema itself, wherever it stands. */
export const resolved = (schema: SchemaOrRef, schemas: Schemas): Schema => {
  if (!('$ref' in schema)) return schema;
  const named = schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  if (!named) throw new Error(`the document has no schema ${schema.$ref}`);
  return resolved(named, schemas);
};
