import {
  type ArgumentMetadata,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, ValidationTypes, validateSync } from 'class-validator';
import { type Issue, schemaMismatch } from '../errors/index.ts';
import { classOfBody, misfitOf } from './body-manners.ts';
import { noteKept } from './ignored.ts';
import { isContainer } from './json-value.ts';
import { keepSettledRules } from './settled-rules.ts';

keepSettledRules();

const segment = ({ target, property }: ValidationError): string | number =>
  Array.isArray(target) || target instanceof Set ? Number(property) : property;

const lowerFirst = (error: ValidationError, message: string): string =>
  message.startsWith(`${error.property} `) ? message.slice(error.property.length + 1) : message;

const issuesOf = (error: ValidationError, path: Issue['path']): Issue[] => {
  const here = [...path, segment(error)];
  const own = Object.values(error.constraints ?? {}).map((message) => ({
    path: here,
    message: error.value === undefined ? 'Required' : lowerFirst(error, message),
  }));
  return [...own.slice(0, 1), ...(error.children ?? []).flatMap((child) => issuesOf(child, here))];
};

/** One issue for each wrong field, with the way to it. */
const issuesIn = (errors: readonly ValidationError[]): Issue[] => errors.flatMap((error) => issuesOf(error, []));

const uncheckedWhenAbsent = new WeakSet<object>();

/**
 * For bodies of the partner interface: a request without the JSON content type skips validation and fails later, so
 * the handler gets an instance in which every field may be missing.
 */
export const UncheckedWhenAbsent = (): ClassDecorator => (target) => {
  uncheckedWhenAbsent.add(target);
};

const BUILT_IN: readonly unknown[] = [String, Number, Boolean, Array, Object, undefined];

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

type Fields = ReadonlyMap<string, boolean>;

const knownFields = new WeakMap<Type<object>, Fields>();

const readFields = (type: Type<object>): Fields => {
  const fields = new Map<string, boolean>();
  for (const { propertyName, type: kind } of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false))
    fields.set(propertyName, fields.get(propertyName) === true || kind === ValidationTypes.NESTED_VALIDATION);
  return fields;
};

/** Its fields, and whether they have a class of their own: read once for a class, since every body asks. */
const fieldsOf = (type: Type<object>): Fields => {
  const fields = knownFields.get(type) ?? readFields(type);
  knownFields.set(type, fields);
  return fields;
};

/**
 * What is no field is left out here, and what has no class is taken as it came: the library would copy all of it through
 * and through, however much it is, and take its `constructor` for a class.
 */
const madeOf = (type: Type<object>, plain: object): object => {
  const fields = fieldsOf(type);
  const known = Object.entries(plain).filter(([name]) => fields.has(name));
  const isKept = ([name, value]: [string, unknown]): boolean => isContainer(value) && fields.get(name) === false;
  const made = known.filter((entry) => !isKept(entry));
  return Object.assign(plainToInstance(type, Object.fromEntries(made)), Object.fromEntries(known.filter(isKept)));
};

/** A parameter that comes twice is a list, which none of ours is. */
const repeated =
  (query: object) =>
  (issue: Issue): Issue =>
    Array.isArray(Reflect.get(query, String(issue.path[0]))) ? { ...issue, message: 'must be sent once' } : issue;

const fitted = (type: Type<object>, plain: unknown, sent: 'body' | 'query'): object => {
  const mismatch = misfitOf(type) ?? schemaMismatch;
  if (kindOf(plain) !== 'object') {
    throw mismatch([{ path: [], message: `Expected object, received ${kindOf(plain)}` }]);
  }
  const instance = madeOf(type, Object(plain));
  const errors = validateSync(instance, { whitelist: true, forbidUnknownValues: false });
  noteKept(plain, instance);
  if (errors.length > 0) {
    const issues = issuesIn(errors);
    throw mismatch(sent === 'query' ? issues.map(repeated(Object(plain))) : issues);
  }
  return instance;
};

/** Checks bodies and queries against their classes: strict types, no coercion, unknown fields dropped. */
@Injectable()
export class SchemaPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (type !== 'body' && type !== 'query') return value;
    noteKept(value, value);
    if (!metatype || BUILT_IN.includes(metatype)) return value;
    const schema = metatype as Type<object>;
    if (value === undefined && uncheckedWhenAbsent.has(schema)) return new schema();
    return fitted(schema, value ?? (value === undefined ? {} : value), type);
  }
}

/** As it was sent, without what no class has a field for; nothing that a class adds by default. */
const keptOf = (sent: unknown, fitted: unknown): unknown => {
  if (sent === fitted || !isContainer(sent) || !isContainer(fitted)) return sent;
  if (Array.isArray(sent)) return sent.map((entry, index) => keptOf(entry, Reflect.get(fitted, index)));
  const known = Object.entries(sent).filter(([name]) => Object.hasOwn(fitted, name));
  return Object.fromEntries(known.map(([name, value]) => [name, keptOf(value, Reflect.get(fitted, name))]));
};

/**
 * What a route reads of a body that a guard has read: its fields alone. What the pipe would refuse is refused, before
 * anybody is asked about it.
 */
export const fittedBody = (sent: unknown, context: ExecutionContext): unknown => {
  const metatype = classOfBody(context.getClass(), context.getHandler().name);
  return metatype && keptOf(sent, new SchemaPipe().transform(sent, { type: 'body', metatype }));
};
