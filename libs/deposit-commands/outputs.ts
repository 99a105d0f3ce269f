import type { Deposit, DepositEvent, Instant, OutputTaken, Payment } from '#deposits';
import type { Desk } from './desk.ts';
import { outputStream } from './streams.ts';
import { appendUnlessLost, newEvents } from './write.ts';

/** A transaction of Ethereum may pay several addresses, and has no outputs that would tell them apart. */
const haveOutputs = ({ terms }: Deposit): boolean => terms.currency !== 'ETH';

const newPayment = (deposit: Deposit, [event]: readonly DepositEvent[]): Payment | undefined => {
  if (event?.type !== 'PaymentSeen') return undefined;
  const { txid, vout } = event.data.payment;
  const known = deposit.payments.some((payment) => payment.vout === vout && payment.txid === txid);
  return known ? undefined : event.data.payment;
};

/**
 * "One (txid, vout) belongs to one deposit": taken in a stream of its own, before the deposit's append. Whoever is cut
 * off in between has it all the same, and finds it when the signal is repeated. The id of the deposit that has it
 * already, where that is another.
 */
export const takenByAnother = async (
  { log }: Pick<Desk, 'log'>,
  deposit: Deposit,
  events: readonly DepositEvent[],
  { at, actor }: { readonly at: Instant; readonly actor: string },
): Promise<number | undefined> => {
  const payment = haveOutputs(deposit) ? newPayment(deposit, events) : undefined;
  if (!payment) return undefined;
  const { depositId, currency } = deposit.terms;
  const { txid, vout } = payment;
  const stream = outputStream(currency, txid, vout);
  const taken: OutputTaken = { type: 'OutputTaken', data: { at, currency, txid, vout, depositId } };
  if (await appendUnlessLost(log.append(stream, 'no_stream', newEvents([taken], actor)))) return undefined;
  for await (const { data } of log.read(stream, { limit: 1 }))
    return data.depositId === depositId ? undefined : Number(data.depositId);
  throw new Error(`stream ${stream} is there and cannot be read`);
};
