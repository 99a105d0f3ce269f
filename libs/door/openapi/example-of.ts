import { resolved, type Schema, type SchemaOrRef, type Schemas } from './open-api.ts';

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
export const exampleOf = (schema: SchemaOrRef, schemas: Schemas): unknown => {
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
