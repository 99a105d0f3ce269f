import { createHash } from 'node:crypto';
import type { Delivered } from '#bus';

/** One signal of a message, as it was sent. */
export type Lying = {
  readonly raw: unknown;
  /** Where it lay, and a mark of the message: a topic that was made again counts from the start. */
  readonly place: string;
  /** Why it is none at all. */
  readonly fault?: string;
};

const NOT_JSON = 'the message is not JSON: one signal, or a list of them';

/** Of what is no JSON. */
const MOST_SHOWN = 5_000;

const isWrapped = (message: unknown): message is { readonly signals: readonly unknown[] } =>
  typeof message === 'object' && message !== null && 'signals' in message && Array.isArray(message.signals);

const listIn = (message: unknown): readonly unknown[] => {
  if (isWrapped(message)) return message.signals;
  return Array.isArray(message) ? message : [message];
};

const BYTE_ORDER_MARK = /^\ufeff/;

/** The signals of one message: one object, or a list of them, bare or as HTTP takes it. */
export const signalsIn = ({ topic, partition, offset, value }: Delivered): readonly Lying[] => {
  const mark = createHash('sha256').update(value).digest('hex').slice(0, 8);
  const placeOf = (nth: number): string => `${topic}/${partition}/${offset}/${nth}/${mark}`;
  try {
    const message: unknown = JSON.parse(value.replace(BYTE_ORDER_MARK, ''));
    return listIn(message).map((raw, nth) => ({ raw, place: placeOf(nth) }));
  } catch {
    return [{ raw: { unreadable: value.slice(0, MOST_SHOWN) }, place: placeOf(0), fault: NOT_JSON }];
  }
};
