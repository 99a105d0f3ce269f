import { depositStreamPrefix } from '#deposit-commands';
import { depositDecisions, kytStatuses, noConfStates, ofacStatuses, paymentStatuses, type Standing } from '#deposits';
import type { RecordedEvent } from '#event-log';

const words = Object.entries({
  status: paymentStatuses,
  noConfState: noConfStates,
  kytStatus: kytStatuses,
  ofacStatus: ofacStatuses,
  decision: depositDecisions,
} as const satisfies Partial<Record<keyof Standing, readonly string[]>>).map(
  ([field, known]): readonly [string, ReadonlySet<unknown>] => [field, new Set([...known, null, undefined])],
);

type Stood = Readonly<Record<string, unknown>>;

/** Whoever folds a deposit takes its words as they are: it is here that one is found that nobody writes. */
export const mustBeKnown = ({ stream, data }: RecordedEvent): void => {
  if (!stream.startsWith(depositStreamPrefix)) return;
  const { changes, standing } = data as { readonly changes?: Stood; readonly standing?: Stood };
  const stood = changes ?? standing ?? {};
  for (const [field, known] of words)
    if (!known.has(stood[field]))
      throw new TypeError(`${field} is ${JSON.stringify(stood[field])}, which nobody writes`);
};
