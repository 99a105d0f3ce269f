import type { TakenAddress } from '#addresses';
import { type GivenIds, isDepositStream, isFastLaneStream } from '#deposit-commands';
import { type RecordedEvent, streamsNamed } from '#event-log';
import { isTicker } from '#money';
import type { AccountIds } from '#partners';
import { valueAt } from '#platform/value-at';

export type Numbers = GivenIds & AccountIds;

/** What an event shows to have been given out. */
export type Given = Numbers & { readonly address?: TakenAddress };

/** Undefined: the event says something else than events of its type do. */
type Told = Given | undefined;

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const numbersIn = <Name extends keyof Numbers>(value: unknown, names: readonly Name[]): Numbers | undefined => {
  const found = names.map((name) => [name, valueAt(value, name)] as const);
  return found.every(([, number]) => isNumber(number)) ? Object.fromEntries(found) : undefined;
};

/** Every coin's, and those that demos and tests make up. */
const ADDRESS = /^[!-~]{1,200}$/;

type Owner = Pick<TakenAddress, 'column' | 'id'>;

const addressIn = (currency: unknown, address: unknown, owner: Owner): TakenAddress | undefined =>
  typeof currency === 'string' && isTicker(currency) && typeof address === 'string' && ADDRESS.test(address)
    ? { currency, address, ...owner }
    : undefined;

const OF_DEPOSIT = ['depositId', 'transactionId', 'affiliateId', 'entityId'] as const;

type Kind = {
  readonly isInStream: (stream: string) => boolean;
  /** `subject` is what the name says that it is of. */
  readonly read: (data: unknown, subject: number) => Told;
};

/** Of the older interface's commands, which stand above this. */
const isTransactionStream = streamsNamed('legacy-transaction-', 'number');

const quoteIssued = (data: unknown, subject: number): Told => {
  const ids = numbersIn(valueAt(data, 'terms'), OF_DEPOSIT);
  return ids?.depositId === subject ? ids : undefined;
};

const addressAssigned = (data: unknown, subject: number): Told => {
  const owner = { column: 'deposit_id', id: subject } as const;
  const address = addressIn(valueAt(data, 'deposit', 'currency'), valueAt(data, 'address'), owner);
  return address && valueAt(data, 'deposit', 'depositId') === subject ? { address } : undefined;
};

const laneEntered = (data: unknown, subject: number): Told => {
  const ids = numbersIn(valueAt(data, 'opening', 'data', 'terms'), OF_DEPOSIT);
  return ids?.entityId === subject ? ids : undefined;
};

const transactionStarted = (data: unknown, subject: number): Told => {
  const terms = valueAt(data, 'terms');
  const ids = numbersIn(terms, ['transactionId', 'affiliateId']);
  const owner = { column: 'transaction_id', id: subject } as const;
  const address = addressIn(valueAt(terms, 'currency'), valueAt(terms, 'wallet'), owner);
  return address && ids?.transactionId === subject ? { ...ids, address } : undefined;
};

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['QuoteIssued', { isInStream: isDepositStream, read: quoteIssued }],
  ['AddressAssigned', { isInStream: isDepositStream, read: addressAssigned }],
  ['DepositReturned', { isInStream: isDepositStream, read: (data) => numbersIn(data, ['returnId']) }],
  ['FastLaneEntered', { isInStream: isFastLaneStream, read: laneEntered }],
  ['LegacyTransactionStarted', { isInStream: isTransactionStream, read: transactionStarted }],
]);

/** Every type of event that gives a number or an address for the first time. */
export const GIVING = [...KINDS.keys()];

/** The first number of its name. Undefined: the stream is of no such kind. */
const subjectOf = ({ stream, type }: Pick<RecordedEvent, 'stream' | 'type'>): number | undefined => {
  const subject = KINDS.get(type)?.isInStream(stream) ? Number(/\d+/.exec(stream)?.[0]) : undefined;
  return isNumber(subject) ? subject : undefined;
};

export const isInItsStream = (event: Pick<RecordedEvent, 'stream' | 'type'>): boolean => subjectOf(event) !== undefined;

/** As the door calls who holds it. */
const API_KEY = /^api key ([0-9]{1,15})$/;

const apiKeyOf = ({ metadata }: RecordedEvent): number => Number(API_KEY.exec(metadata.actor ?? '')?.[1] ?? 0);

export const ELSEWHERE = 'its stream is none of those that such events are written to';

export type Problem = { readonly problem: string };

/** What it gave, or why that cannot be known: nothing is believed of an event that is not as it was written. */
export const givenIn = (event: RecordedEvent): Given | Problem => {
  const subject = subjectOf(event);
  if (subject === undefined) return { problem: ELSEWHERE };
  if (event.problem !== undefined) return { problem: event.problem };
  const told = KINDS.get(event.type)?.read(event.data, subject);
  return told ? { ...told, apiKeyId: apiKeyOf(event) } : { problem: 'it does not say what such events say' };
};
