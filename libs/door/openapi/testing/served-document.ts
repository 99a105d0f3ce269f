import type { OpenAPIObject } from '@nestjs/swagger';
import { type MediaType, type Method, methods, type Operation, type SchemaOrRef } from '../open-api.ts';

export type Named = {
  readonly name: string;
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
};

const operationsIn = (items: OpenAPIObject['paths']): Named[] =>
  Object.entries(items).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ name: `${method.toUpperCase()} ${path}`, path, method, operation }] : [];
    }),
  );

/** Operators and engines have their own houses; everything else is for partners and their players. */
export const isForPartners = ({ path }: Named): boolean => !/^\/(operator|engine)\//.test(path);

export const routesOf = ({ paths }: OpenAPIObject): Named[] => operationsIn(paths);

export const webhooksOf = ({ webhooks = {} }: OpenAPIObject): Named[] => operationsIn(webhooks);

const isRef = (value: object): value is { readonly $ref: string } => '$ref' in value && typeof value.$ref === 'string';

/** Every reference below a value; examples are data, and are not looked into. */
export const refsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = isRef(value) ? [value.$ref] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, inner]) =>
      name === 'example' || name === 'examples' ? [] : refsIn(inner),
    ),
  ];
};

export const target = (document: OpenAPIObject, ref: string): unknown =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      document,
    );

/** The names of the schemas that a value leads to, through others too. */
export const schemasBelow = (document: OpenAPIObject, value: unknown, found = new Set<string>()): Set<string> => {
  for (const ref of refsIn(value)) {
    const name = /^#\/components\/schemas\/(.+)$/.exec(ref)?.[1];
    if (name === undefined || found.has(name)) continue;
    found.add(name);
    schemasBelow(document, target(document, ref), found);
  }
  return found;
};

const jsonOf = (holder: unknown): MediaType | undefined => {
  const content: unknown = typeof holder === 'object' && holder !== null ? Reflect.get(holder, 'content') : undefined;
  return typeof content === 'object' && content !== null ? Reflect.get(content, 'application/json') : undefined;
};

export type Body = { readonly where: string; readonly schema: SchemaOrRef; readonly examples: readonly unknown[] };

const bodyIn = (where: string, holder: unknown): Body[] => {
  const media = jsonOf(holder);
  if (!media?.schema) return [];
  const named = Object.values(media.examples ?? {}).map((example) => ('value' in example ? example.value : undefined));
  return [{ where, schema: media.schema, examples: media.example === undefined ? named : [media.example] }];
};

/** What is sent and what is answered, with the examples of each. */
export const bodiesOf = ({ name, operation }: Named): Body[] => [
  ...bodyIn(`${name} body`, operation.requestBody),
  ...Object.entries(operation.responses).flatMap(([status, response]) => bodyIn(`${name} ${status}`, response)),
];

export const answerBody = ({ name, operation }: Named, status: number): Body | undefined =>
  bodyIn(`${name} ${status}`, operation.responses[status])[0];
