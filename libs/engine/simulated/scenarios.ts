import { randomUUID } from 'node:crypto';
import type { Deposit } from '#deposits';
import type { Amount } from '#money';
import { confirmed, newPayment, type Paid, partOfQuote, quoted, reorged, replaced, seen } from './payment.ts';
import { screened } from './screening.ts';
import type { Step } from './step.ts';

export type Wishes = {
  /** Paid instead of what the scenario would. */
  readonly amount: Amount | null;
  /** False: stop before the chain confirms. */
  readonly confirm: boolean;
};

type Scenario = {
  readonly sentence: string;
  /** Why it cannot be played with this deposit. */
  readonly refuses?: (deposit: Deposit) => string | undefined;
  readonly play: (deposit: Deposit, wishes: Wishes) => readonly Step[];
};

type Answers = Parameters<typeof screened>[1];

const confirmations = (deposit: Deposit, { confirm }: Wishes, ...payments: readonly Paid[]): readonly Step[] =>
  confirm ? payments.map((payment) => confirmed(deposit, payment)) : [];

/** One payment, its screening and its confirmation: what most scenarios are a variant of. */
const payOnce =
  (share: string, answers: Answers = {}) =>
  (deposit: Deposit, wishes: Wishes): readonly Step[] => {
    const payment = newPayment(deposit);
    const received = wishes.amount ?? (share === '1' ? quoted(deposit) : partOfQuote(deposit, share));
    return [seen(payment, received), ...screened(deposit, answers), ...confirmations(deposit, wishes, payment)];
  };

const minuteAfter = (instant: string): string => new Date(Date.parse(instant) + 60_000).toISOString();

const late = (deposit: Deposit, wishes: Wishes): readonly Step[] => {
  const { expiresAt } = deposit.terms;
  const payment = payOnce('1')(deposit, wishes);
  const at = minuteAfter(expiresAt);
  return [{ fact: { type: 'quote.expired' }, at: expiresAt }, ...payment.map((step) => ({ ...step, at }))];
};

const twoPayments = (deposit: Deposit, wishes: Wishes): readonly Step[] => {
  const [first, second] = [newPayment(deposit), newPayment(deposit)];
  const whole = wishes.amount ?? quoted(deposit);
  const half = partOfQuote(deposit, '0.5');
  const rest = whole.minus(half);
  if (!rest.greaterThan(0)) return payOnce('1')(deposit, wishes);
  return [
    seen(first, half),
    seen(second, rest),
    ...screened(deposit),
    ...confirmations(deposit, wishes, first, second),
  ];
};

const replacedBeforeConfirmation = (deposit: Deposit, wishes: Wishes): readonly Step[] => {
  const payment = newPayment(deposit);
  return [seen(payment, wishes.amount ?? quoted(deposit)), ...screened(deposit), replaced(deposit, payment)];
};

const replaceable = (deposit: Deposit, wishes: Wishes): readonly Step[] => {
  const payment = newPayment(deposit);
  return [
    seen(payment, wishes.amount ?? quoted(deposit), true),
    ...screened(deposit, {}, false),
    ...confirmations(deposit, wishes, payment),
  ];
};

const isConfirmedPayment = ({ state }: Deposit['payments'][number]): boolean => state === 'confirmed';

const reorg = (deposit: Deposit, wishes: Wishes): readonly Step[] => {
  const known = deposit.payments.find(isConfirmedPayment);
  const again = (payment: Paid) => [reorged(payment), ...confirmations(deposit, wishes, payment)];
  if (known) return again(known);
  const payment = newPayment(deposit);
  const received = wishes.amount ?? quoted(deposit);
  return [seen(payment, received), ...screened(deposit), confirmed(deposit, payment), ...again(payment)];
};

const unconfirmed = ({ payments }: Deposit): readonly Paid[] => payments.filter(({ state }) => state === 'unconfirmed');

const scenarios = {
  paid: {
    sentence: 'The exact amount is paid, screening finds nothing, and the chain confirms.',
    play: payOnce('1'),
  },
  underpaid: { sentence: 'Half of the amount is paid, screened and confirmed.', play: payOnce('0.5') },
  overpaid: { sentence: 'A quarter more than the amount is paid, screened and confirmed.', play: payOnce('1.25') },
  late: {
    sentence: 'The quote expires unpaid, and the exact amount is paid a minute after that.',
    play: late,
  },
  two_payments: { sentence: 'The amount is paid in two payments, both screened and confirmed.', play: twoPayments },
  replaced: {
    sentence: 'The payment is replaced by another transaction before it is confirmed: a double-spend.',
    play: replacedBeforeConfirmation,
  },
  replaceable: {
    sentence:
      'The payment signals that it can be replaced, so a fast deposit falls back; it is confirmed all the same.',
    play: replaceable,
  },
  sanctioned: {
    sentence: 'A sender is on the OFAC list: the deposit is frozen.',
    play: payOnce('1', { ofac: 'hit' }),
  },
  kyt_review: {
    sentence: 'KYT asks for a review: confirmed, and held until an operator decides.',
    play: payOnce('1', { kyt: 'review' }),
  },
  kyt_failed: { sentence: 'KYT fails: the deposit is frozen.', play: payOnce('1', { kyt: 'failed' }) },
  reorg: {
    sentence: 'A confirmed payment loses its block and is confirmed again; unpaid, it is paid first.',
    play: reorg,
  },
  confirm: {
    sentence: 'The chain confirms every payment that waits for it.',
    refuses: (deposit) => (unconfirmed(deposit).length > 0 ? undefined : 'no payment waits for its confirmation'),
    play: (deposit) => unconfirmed(deposit).map((payment) => confirmed(deposit, payment)),
  },
  settle: {
    sentence: 'An accepted deposit enters a settlement batch.',
    refuses: ({ standing, terms }) =>
      standing.decision === 'accepted' && !terms.test ? undefined : 'only an accepted live deposit is settled',
    play: () => [{ fact: { type: 'settlement.included', batchId: `simulated-${randomUUID().slice(0, 8)}` } }],
  },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof scenarios;

export const isScenario = (word: string): word is ScenarioName => Object.hasOwn(scenarios, word);

export const scenarioNamed = (name: ScenarioName): Scenario => scenarios[name];

export const scenarioNames: readonly string[] = Object.keys(scenarios);

/** For whoever asks what can be played. */
export const scenarioSentences: readonly { readonly name: string; readonly sentence: string }[] = Object.entries(
  scenarios,
).map(([name, { sentence }]) => ({ name, sentence }));
