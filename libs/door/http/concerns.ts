import type { FastifyRequest } from 'fastify';
import type { RequestNotes } from '#platform/logging';

const numberIn = (value: unknown): number | undefined => {
  const read = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(read) ? (read as number) : undefined;
};

const NAMES = { casino: 'entity_id', deposit: 'deposit_id', transaction: 'transaction_id' } as const;

/** What a body, a query or an answer says of a casino, a deposit or a transaction. */
export const concernsIn = (value: unknown): RequestNotes => {
  const notes: RequestNotes = {};
  if (typeof value !== 'object' || value === null) return notes;
  for (const name of ['casino', 'deposit', 'transaction'] as const) {
    const number = numberIn(Reflect.get(value, NAMES[name]));
    if (number !== undefined) notes[name] = number;
  }
  return notes;
};

const OF_ONE = /\/(deposit|transaction)s?\/:id\b/;

/** The path names it by its id alone. */
const concernsOfPath = ({ routeOptions, params }: FastifyRequest): RequestNotes => {
  const [, kind] = OF_ONE.exec(routeOptions.url ?? '') ?? [];
  const id = kind && typeof params === 'object' && params ? numberIn(Reflect.get(params, 'id')) : undefined;
  return id === undefined ? concernsIn(params) : { [kind as 'deposit']: id };
};

export const concernsOf = (request: FastifyRequest): RequestNotes => ({
  ...concernsIn(request.query),
  ...concernsIn(request.body),
  ...concernsOfPath(request),
});
