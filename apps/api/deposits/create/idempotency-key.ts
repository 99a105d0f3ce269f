import type { FastifyRequest } from 'fastify';
import { shown } from '#platform/errors';

const printable = /^[\x20-\x7e]{1,255}$/;

/** The header, or null without one. Of several the first would be a guess. */
export const idempotencyKeyOf = ({ headers }: FastifyRequest): string | null => {
  const value = headers['idempotency-key'];
  if (value === undefined) return null;
  if (typeof value !== 'string' || !printable.test(value))
    throw shown(400, 'Idempotency-Key must be 1 to 255 printable ASCII characters');
  return value;
};
