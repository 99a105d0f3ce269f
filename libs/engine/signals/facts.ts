import { type EngineSignal, kytResults, ofacAnswers, type SignalType } from '#deposits';
import {
  batch,
  code,
  codes,
  decimal,
  flag,
  given,
  id,
  Malformed,
  oneOf,
  optional,
  positiveDecimal,
  type RawSignal,
  required,
  sentence,
  txid,
  wholeNumber,
} from './fields.ts';

type Common = 'signalId' | 'at' | 'now' | 'currentRate';
/** What a signal says, without when and under which id. Spread over the union, so that each type keeps its own fields. */
export type Fact<Type extends SignalType = SignalType> = Type extends SignalType
  ? Omit<Extract<EngineSignal, { type: Type }>, Common>
  : never;

const payment = (raw: RawSignal) => ({
  txid: required(raw, 'txid', txid),
  vout: optional(raw, 'vout', wholeNumber, 0),
});

const refund = (raw: RawSignal) => ({
  returnId: required(raw, 'return_id', id),
  refundTxid: required(raw, 'refund_txid', txid),
});

/** Without a deposit_id the address names the deposit, and is no sanctioned one. */
const sanctioned = (raw: RawSignal): string | null =>
  given(raw, 'deposit_id') === undefined ? null : optional(raw, 'address', code, null);

/** What each type needs beside its id, its target and its time. */
const facts: { readonly [Type in SignalType]: (raw: RawSignal) => Fact<Type> } = {
  'payment.seen': (raw) => ({
    type: 'payment.seen',
    ...payment(raw),
    amount: required(raw, 'amount', positiveDecimal),
    fundingAddresses: optional(raw, 'funding_addresses', codes, []),
    replaceable: optional(raw, 'replaceable', flag, false),
  }),
  'payment.confirmed': (raw) => ({
    type: 'payment.confirmed',
    ...payment(raw),
    confirmations: required(raw, 'confirmations', wholeNumber),
    blockHash: optional(raw, 'block_hash', code, null),
    blockHeight: optional(raw, 'block_height', wholeNumber, null),
  }),
  'payment.dropped': (raw) => ({ type: 'payment.dropped', ...payment(raw) }),
  'payment.double_spent': (raw) => ({
    type: 'payment.double_spent',
    ...payment(raw),
    replacedBy: required(raw, 'replaced_by', txid),
  }),
  'payment.reorged': (raw) => ({ type: 'payment.reorged', ...payment(raw) }),
  'quote.expired': () => ({ type: 'quote.expired' }),
  'guards.completed': (raw) => ({
    type: 'guards.completed',
    passed: required(raw, 'passed', flag),
    reason: optional(raw, 'reason', sentence, null),
  }),
  'kyt.completed': (raw) => ({
    type: 'kyt.completed',
    status: required(raw, 'status', oneOf(...kytResults)),
    riskScore: optional(raw, 'risk_score', decimal, null),
  }),
  'ofac.completed': (raw) => ({
    type: 'ofac.completed',
    status: required(raw, 'status', oneOf(...ofacAnswers)),
    address: sanctioned(raw),
  }),
  'ofac.deadline_missed': () => ({ type: 'ofac.deadline_missed' }),
  'refund.broadcast': (raw) => ({ type: 'refund.broadcast', ...refund(raw) }),
  'refund.dropped': (raw) => ({ type: 'refund.dropped', ...refund(raw) }),
  'settlement.included': (raw) => ({ type: 'settlement.included', batchId: required(raw, 'batch_id', batch) }),
};

const isType = (word: string): word is SignalType => Object.hasOwn(facts, word);

export const readType = (raw: RawSignal): SignalType => {
  const word = required(raw, 'type', code);
  if (!isType(word)) throw new Malformed(`type ${word} is not known`);
  return word;
};

export const readFact = (raw: RawSignal, type: SignalType): Fact => facts[type](raw);
