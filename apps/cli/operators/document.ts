import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../json-schema.ts';

export type Field = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Field[];
  readonly allOf?: readonly Field[];
  readonly $ref?: string;
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Field;
};

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  /** Names of schemas; none where nothing is sent or answered. */
  readonly body?: string;
  readonly answer?: string;
};

export type KeptDocument = {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, Field>>;
};

let read: KeptDocument | undefined;

/** Operators' and engines' part of the OpenAPI document: written by `npm run operations`, held to the service by a test. */
export const readDocument = (): KeptDocument => {
  read ??= JSON.parse(readFileSync(new URL('operations.json', import.meta.url), 'utf8')) as KeptDocument;
  return read;
};

export const nameOfRef = (ref: string): string => ref.split('/').at(-1) ?? '';

/** The field itself, behind a reference and beside a null. */
export const plainField = (field: Field, { schemas }: KeptDocument): Field => {
  if (field.$ref) return plainField(schemas[nameOfRef(field.$ref)] ?? {}, { operations: {}, schemas });
  const inner = field.anyOf?.find((each) => each.type !== 'null') ?? field.allOf?.[0];
  return inner
    ? {
        ...plainField(inner, { operations: {}, schemas }),
        ...(field.description && { description: field.description }),
      }
    : field;
};

const refsIn = (field: unknown): string[] =>
  JSON.stringify(field)
    .match(/"\$ref":"[^"]+"/g)
    ?.map((ref) => nameOfRef(ref.slice(8, -1))) ?? [];

const below = (names: readonly string[], document: KeptDocument, seen = new Set<string>()): string[] => {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    below(refsIn(document.schemas[name] ?? {}), document, seen);
  }
  return [...seen];
};

const wholeOf = (answers: readonly string[], schema: object, document: KeptDocument): JsonSchema => {
  const $defs = Object.fromEntries(below(answers, document).map((name) => [name, document.schemas[name]]));
  const text = JSON.stringify({ ...schema, $defs });
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as JsonSchema;
};

/** Of an answer, whole in itself. */
export const answerSchema = ({ answer }: Operation, document: KeptDocument): JsonSchema =>
  answer ? wholeOf([answer], { $ref: `#/$defs/${answer}` }, document) : { type: 'null' };

/** One of these of the document, or of those beside. */
export const schemaOfNamed = (named: readonly string[], document: KeptDocument, ...beside: JsonSchema[]): JsonSchema =>
  wholeOf(named, { anyOf: [...named.map((name) => ({ $ref: `#/$defs/${name}` })), ...beside] }, document);

/** Of an answer of one of these operations. */
export const schemaOfOne = (ids: readonly string[], document: KeptDocument): JsonSchema =>
  schemaOfNamed(
    ids.flatMap((id) => document.operations[id]?.answer ?? []),
    document,
  );
