/** One event to a stream that is new, or to one that is there already (each writer its own). */
export type Kind = 'new stream' | 'old stream';

export type Round = { readonly kind: Kind; readonly writers: number; readonly round: number; readonly ms: number };

/** Somebody who appends. A round gives appends per second; its streams are its own. */
export type Contestant = {
  readonly name: string;
  readonly run: (round: Round) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** What a deposit's event looks like, some 300 bytes of it. */
export const data = {
  deposit_id: 4711,
  currency: 'BTC',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  crypto_amount: '0.00153846',
  usd_amount: '102.00',
  market_rate: '67632.11000000',
  txid: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
} as const;

export const OLD_LENGTH = 20;

/** Lets `writers` loops append one after the other until the time is over. */
export const drive = async (
  { writers, ms }: Round,
  append: (writer: number, n: number) => Promise<unknown>,
): Promise<number> => {
  const start = performance.now();
  const counts = await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      let n = 0;
      while (performance.now() - start < ms) await append(writer, n++);
      return n;
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
};

/** The old streams of a round, made before the clock starts. */
export const prepareOld = async (
  { kind, writers }: Round,
  make: (writer: number) => Promise<unknown>,
): Promise<void> => {
  if (kind === 'old stream') await Promise.all(Array.from({ length: writers }, (_, writer) => make(writer)));
};

export const streamOf = (who: string, { kind, writers, round }: Round, writer: number, n: number): string =>
  kind === 'new stream' ? `${who}-new-${writers}-${round}-${writer}-${n}` : `${who}-old-${writers}-${round}-${writer}`;
