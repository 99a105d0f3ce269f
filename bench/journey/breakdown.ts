import pg from 'pg';
import { clock } from '../lib/clock.ts';

/** Of the way from a signal to the endpoint; each ends where the next begins. */
export const PARTS = [
  'sent → in the log',
  'in the log → on the bus',
  'on the bus → a delivery',
  'a delivery → an attempt',
  'an attempt → arrived',
] as const;

type Part = (typeof PARTS)[number];
type Way = Readonly<Record<Part | 'whole', number>>;
export type Breakdown = Readonly<Record<Part, { readonly p50: number; readonly p99: number }>>;

export const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;

const MS = (column: string): string => `extract(epoch FROM ${column})::float8 * 1000`;

/** Everything on the way is stored with its time; who sent and who received tell theirs by the monotonic clock. */
const TIMES = `
  SELECT d.webhook_id AS id, d.deposit_id AS deposit, ${MS('d.recorded_at')} AS recorded,
    ${MS('m.published_at')} AS published, ${MS('d.created_at')} AS made, ${MS('a.at')} AS tried
  FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
  JOIN bus_messages m ON m.topic = 'deposit-events' AND m.id = d.webhook_id::text`;

type Times = {
  readonly id: string;
  readonly deposit: string;
  readonly recorded: number;
  readonly published: number;
  readonly made: number;
  readonly tried: number;
};

export const waysOf = async (
  databaseUrl: string,
  sentAt: ReadonlyMap<number, number>,
  arrived: ReadonlyMap<string, number>,
): Promise<readonly Way[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Times>(TIMES);
  await client.end();
  const toWall = performance.timeOrigin + performance.now() - clock();
  return rows.flatMap(({ id, deposit, recorded, published, made, tried }): Way[] => {
    const [at, since] = [arrived.get(id), sentAt.get(Number(deposit))];
    if (at === undefined || since === undefined) return [];
    return [
      {
        'sent → in the log': recorded - since - toWall,
        'in the log → on the bus': published - recorded,
        'on the bus → a delivery': made - published,
        'a delivery → an attempt': tried - made,
        'an attempt → arrived': at + toWall - tried,
        whole: at - since,
      },
    ];
  });
};

export const breakdownOf = (ways: readonly Way[]): Breakdown => {
  const of = (part: Part) => {
    const sorted = ways.map((way) => way[part]).toSorted((a, b) => a - b);
    return { p50: share(sorted, 0.5), p99: share(sorted, 0.99) };
  };
  return Object.fromEntries(PARTS.map((part) => [part, of(part)])) as Breakdown;
};
