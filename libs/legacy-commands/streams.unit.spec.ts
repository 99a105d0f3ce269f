import { describe, expect, it } from '@jest/globals';
import { isStreamOfTransactions, transactionSetAsideStream, transactionStream } from './index.ts';

describe('a stream of the older transactions', () => {
  it.each([1, 17, Number.MAX_SAFE_INTEGER])('is known by its name: of transaction %d', (id) => {
    expect([transactionStream(id), transactionSetAsideStream(id)].map(isStreamOfTransactions)).toEqual([true, true]);
  });

  it.each(['legacy-transaction-', 'legacy-transaction-a', 'legacy-transaction-1-2', 'legacy-signals-01'])(
    'is none by a name that only begins like one: %s',
    (name) => expect(isStreamOfTransactions(name)).toBe(false),
  );
});
