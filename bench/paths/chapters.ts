import { randomUUID } from 'node:crypto';
import type { Callers } from './callers.ts';
import { type Contestant, engineHeaders, playerOf } from './contestants.ts';
import type { Asked, Done } from './job.ts';

export type Made = { readonly deposit_id: number; readonly crypto_amount: number };

type Parts = {
  readonly callers: Callers;
  readonly contestant: Contestant;
  readonly atOnce: number;
  /** An open model: each call has its time, and its wait is counted. */
  readonly perSecond?: number;
};

const times = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth));

type Kind = 'ordinary' | 'fast' | 'keyed';

type How = { readonly kind?: Kind; readonly players?: number };

const creates = ({ entityId }: Contestant, count: number, { kind = 'ordinary', players }: How = {}): Asked[] =>
  times(count, (nth) => ({
    method: 'POST',
    path: '/casino/deposit_address',
    body: JSON.stringify({
      ...{ entity_id: entityId, currency: 'BTC', amount: 100, ...playerOf(nth, players) },
      ...(kind === 'fast' && { no_conf: true }),
    }),
    ...(kind === 'keyed' && { headers: { 'idempotency-key': randomUUID() } }),
  }));

const ask = (
  { callers, contestant: { url, headers }, atOnce, perSecond }: Parts,
  calls: readonly Asked[],
): Promise<Done> =>
  callers.ask({ url, headers, calls, callers: atOnce, ...(perSecond !== undefined && { perSecond }) });

export const create = async (
  parts: Parts,
  count: number,
  how: How = {},
): Promise<Done & { readonly made: readonly Made[] }> => {
  const done = await ask(parts, creates(parts.contestant, count, how));
  return { ...done, made: done.answers.map((answer) => JSON.parse(answer) as Made) };
};

export const read = (parts: Parts, made: readonly Made[], count: number): Promise<Done> =>
  ask(
    parts,
    times(count, (nth) => ({ method: 'GET', path: `/casino/deposit/${made[(nth * 7) % made.length]?.deposit_id}` })),
  );

export const list = (parts: Parts, count: number): Promise<Done> => {
  const path = `/casino/deposits?entity_id=${parts.contestant.entityId}&limit=50`;
  return ask(
    parts,
    times(count, () => ({ method: 'GET', path })),
  );
};

const accepts = (made: readonly Made[]): Asked[] =>
  made.map(({ deposit_id }) => ({ method: 'POST', path: `/casino/deposit/${deposit_id}/accept`, body: '{}' }));

export const accept = (parts: Parts, made: readonly Made[]): Promise<Done> => ask(parts, accepts(made));

const READS_OF_EACH = 4;
const LIST_EVERY = 20;

/** As a casino sends them: for each deposit that is made one is accepted, and each is looked at some times. */
export const mixed = (parts: Parts, paid: readonly Made[]): Promise<Done> => {
  const { entityId } = parts.contestant;
  const accepting = accepts(paid);
  const calls = creates(parts.contestant, paid.length).flatMap((made, nth): Asked[] => [
    made,
    ...times(READS_OF_EACH, (n): Asked => {
      const one = paid[(nth + n * 7) % paid.length];
      return { method: 'GET', path: `/casino/deposit/${one?.deposit_id}` };
    }),
    ...accepting.slice(nth, nth + 1),
    ...(nth % LIST_EVERY === 0
      ? [{ method: 'GET', path: `/casino/deposits?entity_id=${entityId}&limit=50` } as const]
      : []),
  ]);
  return ask(parts, calls);
};

export const CALLS_MIXED = 2 + READS_OF_EACH + 1 / LIST_EVERY;

const SIGNALS_IN_A_CALL = 100;
const ENGINES = 8;

/** Seen, screened and confirmed: four signals for each deposit, those of one in one call and in their order. */
const signalsOf = ({ deposit_id, crypto_amount }: Made): readonly object[] => {
  const txid = deposit_id.toString(16).padStart(64, '0');
  const about = (type: string, fields: object) => ({
    ...{ signal_id: `${type}-${deposit_id}`, type, deposit_id, at: new Date().toISOString() },
    ...fields,
  });
  const funding_addresses = [`funder-${deposit_id}`];
  return [
    about('payment.seen', { txid, vout: 0, amount: crypto_amount.toFixed(8), funding_addresses }),
    about('kyt.completed', { status: 'passed', risk_score: '0.1' }),
    about('ofac.completed', { status: 'clear' }),
    about('payment.confirmed', { txid, confirmations: 1 }),
  ];
};

export const pay = async ({ callers, contestant }: Parts, made: readonly Made[]): Promise<Done> => {
  const signals = made.flatMap(signalsOf);
  const calls = times(Math.ceil(signals.length / SIGNALS_IN_A_CALL), (nth): Asked => {
    const some = signals.slice(nth * SIGNALS_IN_A_CALL, (nth + 1) * SIGNALS_IN_A_CALL);
    return { method: 'POST', path: '/engine/signals', body: JSON.stringify({ signals: some }) };
  });
  const done = await callers.ask({ url: contestant.url, headers: engineHeaders, calls, callers: ENGINES });
  const refused = done.answers.find((answer) => /"(ignored|rejected|duplicate)"/.test(answer));
  if (refused !== undefined) throw new Error(`a signal was not applied: ${refused.slice(0, 500)}`);
  return done;
};

const TOLD_IN_A_CALL = 10;

/** That they were paid, at a steady pace if one is given; resolves to when it was sent of each. */
export const tellSeen = async (
  { callers, contestant, atOnce }: Parts,
  made: readonly Made[],
  perSecond?: number,
): Promise<ReadonlyMap<number, number>> => {
  const chunks = times(Math.ceil(made.length / TOLD_IN_A_CALL), (nth) =>
    made.slice(nth * TOLD_IN_A_CALL, (nth + 1) * TOLD_IN_A_CALL),
  );
  const calls = chunks.map((some): Asked => {
    const signals = some.map((one) => signalsOf(one)[0]);
    return { method: 'POST', path: '/engine/signals', body: JSON.stringify({ signals }) };
  });
  const { url } = contestant;
  const pace = perSecond === undefined ? {} : { perSecond: perSecond / TOLD_IN_A_CALL };
  const { sentAt } = await callers.ask({ url, headers: engineHeaders, calls, callers: atOnce, ...pace });
  return new Map(chunks.flatMap((some, nth) => some.map(({ deposit_id }) => [deposit_id, sentAt[nth] ?? 0] as const)));
};
