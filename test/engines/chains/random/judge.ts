import type { Told } from '../driver/live.ts';
import type { Paid, Truth } from './truth.ts';

/** What the driver knows of a transaction because it made it: what only it may spend. */
export type Made = { readonly txid: string; readonly inputs: readonly string[] };

type Fact = { readonly type: string; readonly signalId: string; readonly by?: string; readonly blockHash?: string };
type Known = { amount: string; state: string; readonly depositId: number; readonly facts: Fact[] };

const stateAfter: Readonly<Record<string, string>> = {
  PaymentSeen: 'unconfirmed',
  PaymentConfirmed: 'confirmed',
  PaymentReorged: 'unconfirmed',
  PaymentDropped: 'dropped',
  PaymentDoubleSpent: 'double_spent',
};

type Data = {
  readonly signalId: string;
  readonly payment?: { readonly txid: string; readonly vout: number; readonly amount: string };
  readonly txid?: string;
  readonly vout?: number;
  readonly replacedBy?: string;
  readonly blockHash?: string;
};

/** The payments of a deposit as its own history tells them. */
const paymentsIn = (depositId: number, history: readonly Told[], units: (coins: string) => string) => {
  const payments = new Map<string, Known>();
  for (const { type, data } of history) {
    const state = stateAfter[type];
    if (state === undefined) continue;
    const { signalId, payment, txid, vout, replacedBy, blockHash } = data as unknown as Data;
    const key = `${payment?.txid ?? txid}:${payment?.vout ?? vout}`;
    const known = payments.get(key) ?? { amount: units(payment?.amount ?? '0'), state, depositId, facts: [] };
    known.state = state;
    known.facts.push({ type, signalId, ...(replacedBy && { by: replacedBy }), ...(blockHash && { blockHash }) });
    payments.set(key, known);
  }
  return payments;
};

const before: Readonly<Record<string, readonly (string | undefined)[]>> = {
  PaymentSeen: [undefined, 'PaymentDropped', 'PaymentDoubleSpent'],
  PaymentConfirmed: ['PaymentSeen', 'PaymentReorged'],
  PaymentReorged: ['PaymentConfirmed'],
  PaymentDropped: ['PaymentSeen', 'PaymentReorged'],
  PaymentDoubleSpent: ['PaymentSeen', 'PaymentReorged'],
};

const doubledIn = (key: string, { facts }: Known): string[] =>
  facts.flatMap(({ type }, nth) =>
    before[type]?.includes(facts[nth - 1]?.type) ? [] : [`${key}: ${type} after ${facts[nth - 1]?.type ?? 'nothing'}`],
  );

export type Verdict = {
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
  readonly doubled: readonly string[];
  readonly payments: number;
  readonly facts: number;
};

export type Judged = {
  readonly truth: Truth;
  readonly made: ReadonlyMap<string, Made>;
  readonly histories: ReadonlyMap<number, readonly Told[]>;
  readonly dust: bigint;
  readonly units: (coins: string) => string;
};

/** All that a transaction leans on, its own coins first. */
const leansOn = (txid: string, made: ReadonlyMap<string, Made>, seen = new Set<string>()): [string, string][] => {
  if (seen.has(txid)) return [];
  seen.add(txid);
  const inputs = made.get(txid)?.inputs ?? [];
  return [
    ...inputs.map((outpoint): [string, string] => [outpoint, txid]),
    ...inputs.flatMap((outpoint) => leansOn(outpoint.split(':')[0] ?? '', made, seen)),
  ];
};

const knownIn = (histories: Judged['histories'], units: Judged['units']): ReadonlyMap<string, Known> =>
  new Map([...histories].flatMap(([depositId, history]) => [...paymentsIn(depositId, history, units)]));

type Complaint = { readonly kind: 'missed' | 'wrong' | 'doubled'; readonly text: string };

const complaint = (kind: Complaint['kind'], text: string): Complaint[] => [{ kind, text }];

/** Of what stands in the chain, or waits for it. */
const missing = (
  { key, amount, depositId }: Paid,
  state: string,
  payment: Known | undefined,
  dust: bigint,
): Complaint[] => {
  if (BigInt(amount) < dust) return payment ? complaint('wrong', `${key}: ${amount} is dust, and was told`) : [];
  if (!payment) return complaint('missed', `${key}: ${state} in the chain, never seen`);
  const facts = payment.facts.map(({ type }) => type).join();
  if (payment.state !== state)
    return complaint('missed', `${key}: ${state} in the chain, ${payment.state} here (${facts})`);
  return payment.amount === amount && payment.depositId === depositId
    ? []
    : complaint('wrong', `${key}: ${amount} for ${depositId}, and here ${payment.amount} for ${payment.depositId}`);
};

type Leaning = readonly (readonly [outpoint: string, via: string])[];

/** Whoever is said to have replaced a payment spends what it needs. */
const falselyAccused = (key: string, { facts }: Known, leaning: Leaning, made: Judged['made']): Complaint[] =>
  facts.flatMap(({ by }) => {
    const spent = by === undefined ? undefined : made.get(by)?.inputs;
    return by === undefined || leaning.some(([outpoint, via]) => via !== by && spent?.includes(outpoint))
      ? []
      : complaint('wrong', `${key}: ${by} is said to have replaced it, and spends nothing of it`);
  });

/**
 * Of what neither pays in the chain nor waits for it. In a block and without its payment is a call that failed there, or
 * whose contract the branch has not: anvil may come back without the code of contracts when it is killed and rolled back.
 */
const surplus = (key: string, { state, facts }: Known, leaning: Leaning, truth: Truth): Complaint[] => {
  const { spenders, included } = truth;
  const told = facts.map(({ type }) => type).join();
  if (included.has(key.split(':')[0] ?? ''))
    return state === 'dropped' ? [] : complaint('wrong', `${key}: in a block, pays nothing, and is ${state} (${told})`);
  if (state === 'confirmed') return complaint('wrong', `${key}: confirmed, and in no block (${told})`);
  if (state === 'dropped') return complaint('wrong', `${key}: dropped before two hours were over (${told})`);
  const lost = leaning.find(([outpoint, via]) => (spenders.get(outpoint) ?? via) !== via);
  if (lost === undefined || state !== 'unconfirmed') return [];
  const [outpoint, via] = lost;
  return complaint(
    'wrong',
    `${key}: ${spenders.get(outpoint)} has ${outpoint} of ${via}, and it is unconfirmed (${told})`,
  );
};

export const judge = ({ truth, made, histories, dust, units }: Judged): Verdict => {
  const known = knownIn(histories, units);
  const all: Complaint[] = [];
  for (const paid of truth.mined.values()) all.push(...missing(paid, 'confirmed', known.get(paid.key), dust));
  for (const paid of truth.waiting.values()) all.push(...missing(paid, 'unconfirmed', known.get(paid.key), dust));
  const ids = new Set<string>();
  for (const [key, payment] of known) {
    const leaning = leansOn(key.split(':')[0] ?? '', made);
    all.push(...doubledIn(key, payment).flatMap((text) => complaint('doubled', text)));
    all.push(...falselyAccused(key, payment, leaning, made));
    for (const { signalId } of payment.facts) {
      if (ids.has(signalId)) all.push(...complaint('doubled', `${key}: ${signalId} twice`));
      ids.add(signalId);
    }
    if (!truth.mined.has(key) && !truth.waiting.has(key)) all.push(...surplus(key, payment, leaning, truth));
  }
  const of = (kind: Complaint['kind']) => all.flatMap((each) => (each.kind === kind ? [each.text] : []));
  const facts = [...known.values()].reduce((sum, payment) => sum + payment.facts.length, 0);
  return { missed: of('missed'), wrong: of('wrong'), doubled: of('doubled'), payments: known.size, facts };
};
