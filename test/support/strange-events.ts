import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

type Said = { readonly type?: string; readonly data?: object; readonly metadata?: object | Buffer };

const written = {
  ...{ hash: 'ab'.repeat(32), prev_hash: null, schema_version: 1 },
  occurred_at: '2026-03-01T12:00:00.000Z',
};

/** Nested too deep for whoever goes through it by calling himself; no object of this process could be written so. */
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

const metadataText = (fields: object, raw: Readonly<Record<string, string>> = {}): Buffer => {
  const texts = Object.entries(raw).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return Buffer.from(`{${[JSON.stringify(fields).slice(1, -1), ...texts].join(',')}}`);
};

/** A number that JSON can hold and no double: what reads it has an infinite one. */
const BEYOND = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON('1e400');

const { prev_hash: _, ...unlinked } = written;

/** What another application, or whoever may write to the server, can append anywhere: by what is odd about it. */
const said: Readonly<Record<string, Said>> = {
  'has no metadata': { type: 'OrderPlaced' },
  'has a type of ours, and no metadata': { data: { street: 'Main St 1' } },
  'says of itself that it is ours': { metadata: written },
  'is of a later release, by what it says': { metadata: { ...written, schema_version: 99 } },
  'has a number that is none': { data: { a: BEYOND }, metadata: written },
  'names what is nested too deep as the hash before it': { metadata: metadataText(unlinked, { prev_hash: DEEP }) },
  'has what is nested too deep beside its hash': { metadata: metadataText(written, { more: DEEP }) },
  'has NUL in its hash': { metadata: { ...written, hash: 'a\u0000' } },
  'has a name with NUL beside its hash': { metadata: { ...written, 'a\u0000': 1 } },
  'has an object for its hash': { metadata: { ...written, hash: { a: 1 }, schema_version: 'x', occurred_at: 5 } },
};

export const oddities: readonly string[] = Object.keys(said);

const strangeEvent = (oddity: string) => {
  const { type = 'QuoteIssued', data = {}, metadata } = said[oddity] ?? {};
  return jsonEvent({ type, data: data as never, ...(metadata && { metadata: metadata as never }) });
};

/** Names that only begin as ours do, or not even so. */
export const foreignStreams: readonly string[] = [
  ...['order-17', 'deposit-order-17', 'deposit-', 'deposit-01', 'deposit-1x', 'deposit-12345678901234567', 'Deposit-1'],
  ...['output-17', `output-BTC-${'a'.repeat(31)}-0`, 'signals-a', 'fastlane-1', 'legacy-transaction-1-2'],
  ...[
    'legacy-signals-',
    'deposit-a\u0000b',
    'deposit-1\n',
    `order-${'a'.repeat(14_000)}`,
    `deposit-${'1'.repeat(14_000)}`,
  ],
];

/** Another application on the same server. */
export const openStranger = (url: string) => {
  const client = EventStoreDBClient.connectionString(url);
  return {
    append: async (stream: string, oddity: string): Promise<void> =>
      void (await client.appendToStream(stream, strangeEvent(oddity))),
    takeAway: async (stream: string): Promise<void> => void (await client.deleteStream(stream)),
    close: (): Promise<void> => client.dispose(),
  };
};
