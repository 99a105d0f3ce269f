import { resolved, type Schema, type SchemaOrRef, type Schemas } from '../open-api.ts';

const typeOf = (value: unknown): readonly string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
};

const isDateTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));

type Rule = (schema: Schema, value: unknown) => boolean;

/** What a value alone can break; each rule looks at one keyword. */
const rules: Readonly<Record<string, Rule>> = {
  type: ({ type }, value) => type === undefined || [type].flat().some((word) => typeOf(value).includes(word)),
  enum: ({ enum: words }, value) => words === undefined || words.includes(value),
  format: ({ format }, value) => format !== 'date-time' || value === null || isDateTime(value),
  pattern: ({ pattern }, value) =>
    pattern === undefined || typeof value !== 'string' || new RegExp(pattern).test(value),
  maxLength: ({ maxLength = Number.POSITIVE_INFINITY }, value) =>
    typeof value !== 'string' || value.length <= maxLength,
  minLength: ({ minLength = 0 }, value) => typeof value !== 'string' || value.length >= minLength,
  minimum: ({ minimum = Number.NEGATIVE_INFINITY }, value) => typeof value !== 'number' || value >= minimum,
  maximum: ({ maximum = Number.POSITIVE_INFINITY }, value) => typeof value !== 'number' || value <= maximum,
  maxItems: ({ maxItems = Number.POSITIVE_INFINITY }, value) => !Array.isArray(value) || value.length <= maxItems,
};

const inParts = (schema: Schema, value: unknown, schemas: Schemas): string[] => {
  const fitting = (parts: readonly SchemaOrRef[]) =>
    parts.filter((part) => misfits(part, value, schemas).length === 0).length;
  return [
    ...(schema.allOf ?? []).flatMap((part) => misfits(part, value, schemas)),
    ...(schema.anyOf && fitting(schema.anyOf) === 0 ? ['anyOf'] : []),
    ...(schema.oneOf && fitting(schema.oneOf) !== 1 ? ['oneOf'] : []),
  ];
};

const inFields = ({ properties = {}, required = [] }: Schema, value: object, schemas: Schemas): string[] => [
  ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${name}: required`),
  ...Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    return property ? misfits(property, inner, schemas).map((what) => `${name}: ${what}`) : [];
  }),
];

/** Where a value does not fit a schema, by the keywords that our document uses. */
export const misfits = (schema: SchemaOrRef, value: unknown, schemas: Schemas): string[] => {
  const here = resolved(schema, schemas);
  const own = Object.keys(rules).filter((name) => rules[name]?.(here, value) === false);
  const { items } = here;
  const inner =
    Array.isArray(value) && items
      ? value.flatMap((item, index) => misfits(items, item, schemas).map((what) => `[${index}] ${what}`))
      : [];
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value);
  return [...own, ...inParts(here, value, schemas), ...inner, ...(fields ? inFields(here, value, schemas) : [])];
};

/** Every name that an object of this schema may have. */
export const namesIn = (schema: SchemaOrRef, schemas: Schemas): Set<string> => {
  const { properties = {}, allOf = [], oneOf = [] } = resolved(schema, schemas);
  const parts = [...allOf, ...oneOf];
  return new Set([...Object.keys(properties), ...parts.flatMap((part) => [...namesIn(part, schemas)])]);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What a value has and a schema does not tell of; a schema without names tells of all. */
export const unsaid = (of: SchemaOrRef, value: unknown, schemas: Schemas): string[] => {
  const { items, properties, allOf = [], anyOf = [], oneOf = [] } = resolved(of, schemas);
  if (Array.isArray(value))
    return items
      ? value.flatMap((item, index) => unsaid(items, item, schemas).map((what) => `[${index}] ${what}`))
      : [];
  if (!isObject(value)) return [];
  const fitting = [...anyOf, ...oneOf].filter((part) => misfits(part, value, schemas).length === 0);
  const parts = [...allOf, ...fitting];
  if (!properties) return parts.flatMap((part) => unsaid(part, value, schemas));
  const told = new Set(parts.flatMap((part) => [...namesIn(part, schemas)]));
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    if (property) return unsaid(property, inner, schemas).map((what) => `${name}: ${what}`);
    return told.has(name) ? [] : [`${name}: not told of`];
  });
};
