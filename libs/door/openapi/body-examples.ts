import {
  type ChangeOperation,
  type Content,
  type MediaType,
  mapResponses,
  resolved,
  type Schema,
  type SchemaOrRef,
  type Schemas,
} from './open-api.ts';

const SAMPLES: Readonly<Record<string, unknown>> = { boolean: true, integer: 1, number: 1, string: 'text' };

const wholeObject = ({ properties = {}, required = [] }: Schema, schemas: Schemas): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const { example, default: byDefault } = resolved(property, schemas);
      const told = example !== undefined || byDefault !== undefined || required.includes(name);
      return told ? [[name, exampleOf(property, schemas)]] : [];
    }),
  );

const told = ({ example, default: byDefault, enum: words }: Schema): unknown => example ?? byDefault ?? words?.[0];

/** An object put together from the examples of its properties; what is optional and has none is left out. */
const exampleOf = (schema: SchemaOrRef, schemas: Schemas): unknown => {
  const here = resolved(schema, schemas);
  if (here.example === null) return null;
  const value = told(here);
  if (value !== undefined) return value;
  const [part] = [...(here.allOf ?? []), ...(here.anyOf ?? []), ...(here.oneOf ?? [])];
  if (part) return exampleOf(part, schemas);
  if (here.items) return [exampleOf(here.items, schemas)];
  const kind = [here.type ?? 'object'].flat()[0] ?? 'object';
  return SAMPLES[kind] ?? wholeObject(here, schemas);
};

type Mapping = { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };

/** One example of each kind of answer, by the word that tells them apart. */
const examplesOfKinds = ({ propertyName, mapping }: Mapping, schemas: Schemas): MediaType['examples'] =>
  Object.fromEntries(
    Object.entries(mapping).map(([word, $ref]) => [
      word,
      { value: { ...Object(exampleOf({ $ref }, schemas)), [propertyName]: word } },
    ]),
  );

const kindsOf = (schema: Schema): Mapping | undefined => {
  const { propertyName, mapping } = schema.discriminator ?? {};
  return propertyName !== undefined && mapping ? { propertyName, mapping } : undefined;
};

const exampled = (media: MediaType, schemas: Schemas): MediaType => {
  const { schema, example, examples } = media;
  if (!schema || example !== undefined || examples) return media;
  const kinds = '$ref' in schema ? undefined : kindsOf(schema);
  const named = kinds && examplesOfKinds(kinds, schemas);
  return named ? { ...media, examples: named } : { ...media, example: exampleOf(schema, schemas) };
};

const exampledContent = (content: Content, schemas: Schemas): Content =>
  Object.fromEntries(Object.entries(content).map(([type, media]) => [type, exampled(media, schemas)]));

/** Shows every body whole, from the examples of its fields. */
export const bodyExamples =
  (schemas: Schemas): ChangeOperation =>
  (operation) => {
    const answered = mapResponses(operation, ({ content, ...response }) => ({
      ...response,
      ...(content && { content: exampledContent(content, schemas) }),
    }));
    const { requestBody } = answered;
    if (!requestBody || !('content' in requestBody)) return answered;
    return { ...answered, requestBody: { ...requestBody, content: exampledContent(requestBody.content, schemas) } };
  };
