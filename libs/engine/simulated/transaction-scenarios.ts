import { randomBytes } from 'node:crypto';
import type { LegacyTransaction } from '#legacy-transactions';
import { type Amount, amount, roundCryptoUp } from '#money';
import { type Paid, seen } from './payment.ts';
import type { ScenarioName, Wishes } from './scenarios.ts';
import type { Step } from './step.ts';

const hash = (): string => randomBytes(32).toString('hex');

const newPayment = (): Paid => ({ txid: hash(), vout: 0 });

const price = ({ terms }: LegacyTransaction): Amount => amount(terms.cryptoAmount);

const confirmed = ({ txid, vout }: Paid): Step => ({
  fact: { type: 'payment.confirmed', txid, vout, confirmations: 1, blockHash: hash(), blockHeight: 1_000_000 },
});

type Play = (transaction: LegacyTransaction, wishes: Wishes) => readonly Step[];

const payOnce =
  (share: string): Play =>
  (transaction, wishes) => {
    const payment = newPayment();
    const received = wishes.amount ?? roundCryptoUp(price(transaction).times(share));
    return [seen(payment, received), ...(wishes.confirm ? [confirmed(payment)] : [])];
  };

const late: Play = (transaction, wishes) => {
  const { timesOutAt } = transaction.terms;
  const at = new Date(Date.parse(timesOutAt) + 60_000).toISOString();
  return [
    { fact: { type: 'quote.expired' }, at: timesOutAt },
    ...payOnce('1')(transaction, wishes).map((step) => ({ ...step, at })),
  ];
};

const twoPayments: Play = (transaction, wishes) => {
  const whole = wishes.amount ?? price(transaction);
  const half = roundCryptoUp(price(transaction).times('0.5'));
  const rest = whole.minus(half);
  if (!rest.greaterThan(0)) return payOnce('1')(transaction, wishes);
  return [half, rest].flatMap((part) => payOnce('1')(transaction, { ...wishes, amount: part }));
};

const replaced: Play = (transaction, wishes) => {
  const payment = newPayment();
  const { txid, vout } = payment;
  const spent: Step = { fact: { type: 'payment.double_spent', txid, vout, replacedBy: hash() } };
  return [seen(payment, wishes.amount ?? price(transaction)), spent];
};

const confirm: Play = ({ payments }) => payments.filter(({ state }) => state === 'unconfirmed').map(confirmed);

/** The scenarios of deposits that have a meaning without screening and without a decision. */
const plays: Readonly<Partial<Record<ScenarioName, Play>>> = {
  paid: payOnce('1'),
  underpaid: payOnce('0.5'),
  overpaid: payOnce('1.25'),
  late,
  two_payments: twoPayments,
  replaced,
  confirm,
};

/** The steps, or why there are none. */
export const playTransaction = (
  scenario: ScenarioName,
  transaction: LegacyTransaction,
  wishes: Wishes,
): readonly Step[] | string => {
  const play = plays[scenario];
  if (!play) return `a legacy transaction knows ${Object.keys(plays).join(', ')}`;
  const steps = play(transaction, wishes);
  return steps.length > 0 ? steps : 'no payment waits for its confirmation';
};
