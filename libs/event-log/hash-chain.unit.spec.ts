import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { prepareAppend } from './append-request.ts';
import { seal } from './hash-chain.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((each) => /^[^$\0]+$/.test(each));
const maybe = fc.option(text, { nil: undefined });

describe('the hash of an event', () => {
  it('is that of the canonical JSON of all that is told of it', () => {
    fc.assert(
      fc.property(
        fc.record({
          stream: text,
          type: text,
          id: fc.uuid({ version: 4 }),
          data: fc.dictionary(
            text,
            fc.json().map((each) => JSON.parse(each)),
          ),
        }),
        fc.record({
          actor: maybe,
          correlationId: maybe,
          causationId: maybe,
          prev: fc.option(text),
          revision: fc.nat(),
        }),
        ({ stream, type, id, data }, { prev, revision, ...who }) => {
          const metadata = {
            occurredAt: '2026-01-01T00:00:00.000Z',
            ...Object.fromEntries(Object.entries(who).filter(([, value]) => value !== undefined)),
          };
          const [event] = prepareAppend(stream, [{ id, type, data, metadata }]);
          if (!event) throw new Error('nothing was prepared');
          const { hash, ...sealed } = seal(stream, revision, prev, event);
          const whole = canonicalize({ data: JSON.parse(event.data), id, metadata: sealed, revision, stream, type });
          expect(hash).toBe(
            createHash('sha256')
              .update(whole ?? '')
              .digest('hex'),
          );
        },
      ),
    );
  });
});
