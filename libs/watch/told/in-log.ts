import type { Ticker } from '#money';
import type { Owner } from '../parts.ts';
import type { KeptBlock } from '../rows/tip.ts';

/** Of a payment, whichever it is. */
export type Said =
  | { readonly kind: 'seen'; readonly amount: string; readonly replaceable: boolean; readonly at: Date }
  | { readonly kind: 'confirmed'; readonly block: KeptBlock }
  | { readonly kind: 'double_spent'; readonly replacedBy: string }
  | { readonly kind: 'reorged' | 'dropped' };

/** What the log keeps of what was told of a payment. */
export type Fact = { readonly txid: string; readonly vout: number; readonly signalId: string } & Said;

/** To whom an address was given, and all that was told of what pays it. */
export type History = {
  readonly addresses: readonly { readonly currency: string; readonly address: string }[];
  readonly facts: readonly Fact[];
};

/** What a watcher asks of the log, which may know more of a chain than a database that was put back. Its places are told by it. */
export type ToldInLog = {
  readonly head: () => Promise<string | undefined>;
  /** What was told of payments in a coin behind there, in its order; all of it where that is not known. */
  readonly since: (
    coin: Ticker,
    after: string | undefined,
    stopping: AbortSignal,
  ) => AsyncIterable<{ readonly owner: Owner; readonly fact: Fact; readonly position: string }>;
  /** Undefined: it is broken. */
  readonly of: (owner: Owner) => Promise<History | undefined>;
};
