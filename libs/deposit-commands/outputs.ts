import type { OutputTaken, Payment } from '#deposits';
import type { EventLog, RecordedEvent } from '#event-log';
import type { Written } from './known-events.ts';
import { outputStream } from './streams.ts';
import { appendUnlessLost, newEvents } from './write.ts';

/** What the first event of a command says of a payment that was not known before. */
export const newPayment = (payments: readonly Payment[], [event]: readonly Written[]): Payment | undefined => {
  if (event?.type !== 'PaymentSeen' && event?.type !== 'LegacyPaymentSeen') return undefined;
  const { txid, vout } = event.data.payment;
  const known = payments.some((payment) => payment.vout === vout && payment.txid === txid);
  return known ? undefined : event.data.payment;
};

const ownerOf = ({ type, data }: Pick<RecordedEvent, 'data'> & { readonly type: string }): string =>
  type === 'OutputTaken' ? `deposit ${Number(data.depositId)}` : `transaction ${Number(data.transactionId)}`;

/**
 * "One (txid, vout) belongs to one deposit", or to one transaction of the older interface: taken in a stream of its
 * own, before the append of whoever is paid. Whoever is cut off in between has it all the same, and finds it when the
 * signal is repeated. Who has it already, where that is another.
 */
export const takenByAnother = async (
  log: Pick<EventLog, 'append' | 'read'>,
  taken: OutputTaken,
  actor: string,
): Promise<string | undefined> => {
  const { currency, txid, vout } = taken.data;
  const stream = outputStream(currency, txid, vout);
  const events = newEvents([taken], actor);
  if (await appendUnlessLost(log.append(stream, 'no_stream', events))) return undefined;
  for await (const first of log.read(stream, { limit: 1 })) {
    const owner = ownerOf(first);
    return owner === ownerOf({ type: taken.type, data: taken.data }) ? undefined : owner;
  }
  throw new Error(`stream ${stream} is there and cannot be read`);
};

/** Why a signal that gives an output to another is rejected. */
export const givenTo = (owner: string): string => `this output was given to ${owner}`;
