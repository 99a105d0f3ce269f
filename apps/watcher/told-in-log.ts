import { depositStream, depositStreamPrefix, isDepositStream } from '#deposit-commands';
import { BrokenHistory, type EventLog, parsePosition, type RecordedEvent } from '#event-log';
import { isTransactionStream, transactionStream, transactionStreamPrefix } from '#legacy-commands';
import { valueAt } from '#platform/value-at';
import type { Fact, History, Owner, Said, ToldInLog } from '#watch';

type Log = Pick<EventLog, 'head' | 'read' | 'readAll'>;

/** Somebody else may have written what is read here: nothing is believed to be what its type says. */
const textAt = (data: unknown, ...path: readonly string[]): string | undefined => {
  const text = valueAt(data, ...path);
  return typeof text === 'string' ? text : undefined;
};

const seenIn = (data: unknown): Said | undefined => {
  const [amount, firstSeenAt] = [textAt(data, 'payment', 'amount'), textAt(data, 'payment', 'firstSeenAt')];
  const seenAt = new Date(firstSeenAt ?? '');
  if (amount === undefined || Number.isNaN(seenAt.getTime())) return undefined;
  return { kind: 'seen', amount, replaceable: valueAt(data, 'payment', 'replaceable') === true, at: seenAt };
};

const confirmedIn = (data: unknown): Said | undefined => {
  const [hash, height] = [textAt(data, 'blockHash'), valueAt(data, 'blockHeight')];
  return hash !== undefined && typeof height === 'number' ? { kind: 'confirmed', block: { hash, height } } : undefined;
};

const doubleSpentIn = (data: unknown): Said | undefined => {
  const replacedBy = textAt(data, 'replacedBy');
  return replacedBy === undefined ? undefined : { kind: 'double_spent', replacedBy };
};

const SAID: Readonly<Record<string, (data: unknown) => Said | undefined>> = {
  PaymentSeen: seenIn,
  PaymentConfirmed: confirmedIn,
  PaymentReorged: () => ({ kind: 'reorged' }),
  PaymentDropped: () => ({ kind: 'dropped' }),
  PaymentDoubleSpent: doubleSpentIn,
};

const OLDER = 'Legacy';
const TYPES = Object.keys(SAID).flatMap((type) => [type, `${OLDER}${type}`]);

const factIn = ({ type, data }: RecordedEvent): Fact | undefined => {
  const said = SAID[type.startsWith(OLDER) ? type.slice(OLDER.length) : type]?.(data);
  const of = said?.kind === 'seen' ? valueAt(data, 'payment') : data;
  const [txid, vout, signalId] = [textAt(of, 'txid'), valueAt(of, 'vout'), textAt(data, 'signalId')];
  if (!said || txid === undefined || typeof vout !== 'number' || signalId === undefined) return undefined;
  return { txid, vout, signalId, ...said };
};

const addressIn = ({ type, data }: RecordedEvent): History['addresses'] => {
  const [currency, address] =
    type === 'AddressAssigned'
      ? [textAt(data, 'deposit', 'currency'), textAt(data, 'address')]
      : [textAt(data, 'terms', 'currency'), textAt(data, 'terms', 'wallet')];
  return currency !== undefined && address !== undefined ? [{ currency, address }] : [];
};

const currencyIn = ({ data }: RecordedEvent): string | undefined =>
  textAt(data, 'deposit', 'currency') ?? textAt(data, 'transaction', 'currency');

const ownerOf = (stream: string): Owner | undefined => {
  const numberBehind = (prefix: string): number => Number(stream.slice(prefix.length));
  if (isDepositStream(stream)) return { depositId: numberBehind(depositStreamPrefix), transactionId: null };
  if (isTransactionStream(stream)) return { depositId: null, transactionId: numberBehind(transactionStreamPrefix) };
  return undefined;
};

const streamOf = ({ depositId, transactionId }: Owner): string =>
  depositId === null ? transactionStream(transactionId ?? 0) : depositStream(depositId);

/** Undefined of a broken history: it waits for that to be mended, and no chain waits for it. */
const historyIn = async (log: Log, owner: Owner): Promise<History | undefined> => {
  const [addresses, facts]: [History['addresses'][number][], Fact[]] = [[], []];
  try {
    for await (const event of log.read(streamOf(owner), { asStored: true })) {
      addresses.push(...addressIn(event));
      const fact = factIn(event);
      if (fact) facts.push(fact);
    }
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
    return undefined;
  }
  return { addresses, facts };
};

export const toldInLog = (log: Log): ToldInLog => ({
  head: () => log.head(),
  async *since(coin, after, stopping) {
    const behind = after !== undefined && { after: parsePosition(after) };
    for await (const event of log.readAll({ ...behind, filter: { types: TYPES }, asStored: true })) {
      stopping.throwIfAborted();
      const [owner, fact] = [ownerOf(event.stream), factIn(event)];
      if (owner && fact && currencyIn(event) === coin) yield { owner, fact, position: event.position };
    }
  },
  of: (owner) => historyIn(log, owner),
});
