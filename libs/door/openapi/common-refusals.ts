import { httpErrors, readErrors, type ShownError, schemaMismatch } from '../errors/index.ts';
import { BODY_LIMIT } from '../http/index.ts';
import { type ErrorExamples, errorResponse, isValidationError } from './error-response.ts';
import {
  type ChangeOperation,
  type Operation,
  resolved,
  type Schema,
  type SchemaOrRef,
  type Schemas,
} from './open-api.ts';

/** On an operation: it answers a body that does not fit, or cannot even be read, in a way that it tells itself. */
export const OWN_MISFIT = 'x-own-misfit';
export const OWN_UNREADABLE = 'x-own-unreadable';

/** Every method but GET may bring a body, which is read whether it is wanted or not. */
const ofAnyBody = (operation: Operation): readonly ShownError[] => [
  ...(OWN_UNREADABLE in operation ? [] : [httpErrors.malformedJson()]),
  httpErrors.bodyTooLarge(BODY_LIMIT),
  httpErrors.encodingUnsupported('gzip'),
  httpErrors.noRoomForBody(),
];

const isForOperators = ({ security = [] }: Operation): boolean => security.some((one) => 'operator_token' in one);

/** A body that means something is never taken for none there. */
const ofUntypedBody = (operation: Operation): readonly ShownError[] =>
  operation.requestBody && isForOperators(operation) ? [httpErrors.bodyUntyped()] : [];

/** A credential that is not known yet is looked up in turn. */
const ofCredentials = ({ security = [] }: Operation): readonly ShownError[] =>
  security.length > 0 ? [httpErrors.crowded()] : [];

/** By the tags of the routes: who asks for accounts, or for the market, never asks the log. */
const ASKS_THE_LOG = /deposit|decision|engine|projection|transaction/i;

const ofTheLog = ({ tags = [] }: Operation): readonly ShownError[] =>
  tags.some((tag) => ASKS_THE_LOG.test(tag)) ? [readErrors.logAway()] : [];

const bodySchemaOf = ({ requestBody }: Operation): SchemaOrRef | undefined =>
  requestBody && 'content' in requestBody ? requestBody.content['application/json']?.schema : undefined;

const bodyMismatch = (schema: Schema): ShownError => {
  const [first] = schema.required ?? [];
  return first === undefined
    ? schemaMismatch([{ path: [], message: 'Expected object, received array' }])
    : schemaMismatch([{ path: [first], message: 'Required' }]);
};

/** The rules of the house that queries are checked by; a name that comes twice is a list, which fits none. */
const brokenRule = ({ enum: words, example }: Schema): string => {
  if (words) return `must be one of the following values: ${words.join(', ')}`;
  if (/^\d+$/.test(String(example ?? ''))) return 'must be 1 to 15 digits';
  return 'must be a string of 0 to any number of characters without NUL';
};

const queryMismatch = ({ parameters = [] }: Operation): ShownError | undefined => {
  const asked = parameters.flatMap((parameter) => ('in' in parameter && parameter.in === 'query' ? [parameter] : []));
  const first = asked.find(({ required }) => required) ?? asked[0];
  if (!first) return undefined;
  const { schema = {}, example } = first;
  const message = first.required ? 'Required' : brokenRule({ example, ...('$ref' in schema ? {} : schema) });
  return schemaMismatch([{ path: [first.name], message }]);
};

const mismatchOf = (operation: Operation, schemas: Schemas): ShownError | undefined => {
  const schema = bodySchemaOf(operation);
  return schema ? bodyMismatch(resolved(schema, schemas)) : queryMismatch(operation);
};

const knownExamples = ({ responses }: Operation, status: number): ErrorExamples => {
  const response = responses[status];
  const examples = response && 'content' in response ? response.content?.['application/json']?.examples : undefined;
  return Object.fromEntries(
    Object.entries(examples ?? {}).flatMap(([name, example]) =>
      'value' in example ? [[name, { value: example.value }]] : [],
    ),
  );
};

const withErrors = (operation: Operation, errors: readonly ShownError[]): Operation => {
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  const added = [...byStatus].map(([status, those]) => {
    const known = operation.responses[status];
    const headers = known && 'headers' in known && known.headers ? { headers: known.headers } : {};
    return [status, { ...errorResponse(status, those, knownExamples(operation, status)), ...headers }] as const;
  });
  return { ...operation, responses: { ...operation.responses, ...Object.fromEntries(added) } };
};

/** Adds what the machinery refuses before a route sees the call, so that no route has to say it. */
export const commonRefusals =
  (schemas: Schemas): ChangeOperation =>
  (operation, method) => {
    const told = Object.values(knownExamples(operation, 400)).some(({ value }) => isValidationError(value));
    const mismatch = told || OWN_MISFIT in operation ? undefined : mismatchOf(operation, schemas);
    const readsBody = method !== 'get' || operation.requestBody !== undefined;
    return withErrors(operation, [
      ...(mismatch ? [mismatch] : []),
      ...(readsBody ? ofAnyBody(operation) : []),
      ...ofUntypedBody(operation),
      ...ofTheLog(operation),
      ...ofCredentials(operation),
    ]);
  };
