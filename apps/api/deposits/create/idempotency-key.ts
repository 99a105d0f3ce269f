import type { FastifyRequest } from 'fastify';
import { shown } from '#door/errors';

const printable = /^[\x20-\x7e]{1,255}$/;

export const malformedKey = () =>
  shown(400, 'Idempotency-Key must be one of 1 to 255 printable ASCII characters', {
    code: 'idempotency_key_malformed',
  });

/** The header, or null without one. Node joins several by commas: that would be a key that nobody sent. */
export const idempotencyKeyOf = ({ raw }: FastifyRequest): string | null => {
  const [value, ...others] = raw.headersDistinct['idempotency-key'] ?? [];
  if (value === undefined) return null;
  if (others.length > 0 || !printable.test(value)) throw malformedKey();
  return value;
};
