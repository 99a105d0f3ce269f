import { exampleOf } from './example-of.ts';
import {
  type ChangeOperation,
  type Content,
  type MediaType,
  mapResponses,
  type Schema,
  type Schemas,
} from './open-api.ts';

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
