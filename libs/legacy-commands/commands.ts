import {
  type Busy,
  type Giving,
  keptPayments,
  type NotFound,
  newEvents,
  notFound,
  orNotBegun,
  orNothingRecorded,
  type SignalResult,
  shareLog,
  signalsInOrder,
  whileOthersAreFirst,
} from '#deposit-commands';
import { type EngineSignal, type Refused, refused } from '#deposits';
import type { EventLog, Position } from '#event-log';
import {
  type AskTransaction,
  decideCancel,
  decideSettle,
  evolveTransaction,
  initialTransaction,
  type LegacyTransaction,
  type NoRate,
  priceTransaction,
  type SettleRefusal,
  type Settling,
  type TransactionApplied,
  type TransactionEvent,
  type TransactionState,
  type Uncountable,
  type WrongTransactionStatus,
} from '#legacy-transactions';
import type { DecimalText, LegacyCurrency } from '#money';
import { type BeginParts, createBegin } from './begin.ts';
import { type ContactsParts, createAddContact, eraseEmail, orDropContact } from './contacts.ts';
import { decideOnce } from './decide-once.ts';
import { loadTransaction, transactionSetAsideStream, transactionStream } from './load.ts';

export type CreateTransaction = Pick<AskTransaction, 'affiliateId' | 'currency' | 'usdAmount' | 'label'> & {
  readonly email: string;
  readonly actor: string;
};

/** A transaction after a command that was applied, and where in the log that stands. */
export type TransactionDone = {
  readonly outcome: 'applied';
  readonly transaction: LegacyTransaction;
  readonly position: Position;
};

/** Nothing was made. */
export type NoWallet = { readonly refusal: 'no_address'; readonly currency: LegacyCurrency };

export type CreateTransactionOutcome = TransactionDone | Refused<NoRate | NoWallet | Uncountable>;
type ChangeOutcome<Refusal> = TransactionDone | Refused<Refusal> | NotFound | Busy;
export type CancelTransactionOutcome = ChangeOutcome<WrongTransactionStatus>;
export type SettleTransactionOutcome = ChangeOutcome<SettleRefusal>;

export type CancelTransaction = {
  readonly transactionId: number;
  readonly affiliateId: number;
  readonly actor: string;
};
export type SettleTransaction = Settling & {
  readonly transactionId: number;
  readonly actor: string;
};

/** Signals of one transaction, in their order. */
export type ApplyTransactionSignals = (
  transactionId: number,
  signals: readonly EngineSignal[],
  actor: string,
  until?: number,
) => Promise<readonly SignalResult[]>;

/** All that can be done to the older transactions. Each says what it came to; only faults are thrown. */
export type LegacyCommands = {
  readonly create: (request: CreateTransaction) => Promise<CreateTransactionOutcome>;
  readonly cancel: (request: CancelTransaction) => Promise<CancelTransactionOutcome>;
  readonly settle: (request: SettleTransaction) => Promise<SettleTransactionOutcome>;
  readonly applySignals: ApplyTransactionSignals;
  /** `gone` where it was erased before. */
  readonly eraseEmail: (transactionId: number, actor: string) => Promise<'erased' | 'gone' | 'not_found'>;
};

export type LegacyCommandsParts = ContactsParts &
  BeginParts & {
    readonly log: Pick<EventLog, 'append' | 'read'>;
    readonly currentRate: (currency: LegacyCurrency) => Promise<DecimalText | 'unavailable'>;
    readonly takeAddress: (
      currency: LegacyCurrency,
      transactionId: number,
      withinMs: number,
    ) => Promise<string | undefined>;
    readonly addressWaitMs: number;
    /** An id is taken within it; rejects while it may have been given out before. */
    readonly giving: Giving;
    readonly now?: () => Date;
  };

const after = (state: TransactionState, events: readonly TransactionEvent[]): LegacyTransaction => {
  const folded = events.reduce(evolveTransaction, state);
  if (folded.stage === 'none') throw new Error('events were written that begin with no transaction');
  return folded;
};

type Change<Refusal> = {
  readonly transactionId: number;
  readonly actor: string;
  /** Of whoever asks. */
  readonly log: LegacyCommandsParts['log'];
  readonly decide: (transaction: LegacyTransaction) => TransactionApplied | Refused<Refusal> | NotFound;
};

export const openLegacyCommands = (parts: LegacyCommandsParts): LegacyCommands => {
  const { pool, log, currentRate, takeAddress, addressWaitMs, giving, now = () => new Date() } = parts;
  const [addContact, begin] = [createAddContact(parts), createBegin(parts)];
  const logOf = shareLog(log);

  const create: LegacyCommands['create'] = async ({ email, actor, ...asked }) => {
    const { currency } = asked;
    const marketRate = await orNothingRecorded(() => currentRate(currency));
    const priced = priceTransaction({ ...asked, marketRate, now: now().toISOString() });
    if (priced.outcome === 'refused') return priced;
    const transactionId = await orNotBegun(() => giving(() => addContact(email)));
    const address = () => takeAddress(currency, transactionId, addressWaitMs);
    const wallet = await orNotBegun(() => orDropContact(pool, transactionId, address));
    if (wallet === undefined) return refused({ refusal: 'no_address', currency });
    const events = [priced.startedWith({ transactionId, wallet })];
    const { position } = await begin(transactionId, events, actor);
    return { outcome: 'applied', transaction: after(initialTransaction, events), position };
  };

  const change = <Refusal>({ transactionId, actor, log, decide }: Change<Refusal>): Promise<ChangeOutcome<Refusal>> =>
    whileOthersAreFirst(async () => {
      const { state, revision } = await loadTransaction(log, transactionId);
      const decided = state.stage === 'none' ? notFound : decide(state);
      if (decided.outcome !== 'applied') return decided;
      const { events } = decided;
      const { position } = await log.append(transactionStream(transactionId), revision, newEvents(events, actor));
      return { outcome: 'applied', transaction: after(state, events), position };
    });

  return {
    create,
    cancel: ({ affiliateId, ...about }) =>
      change({
        ...about,
        log: logOf(affiliateId),
        decide: (transaction) =>
          transaction.terms.affiliateId === affiliateId ? decideCancel(transaction, now().toISOString()) : notFound,
      }),
    settle: ({ note, named, ...about }) =>
      change({
        ...about,
        log,
        decide: (transaction) => decideSettle(transaction, { now: now().toISOString(), note, named }),
      }),
    eraseEmail: async (transactionId, actor) => {
      if (await eraseEmail(pool, transactionId, actor)) return 'erased';
      const { state } = await loadTransaction(log, transactionId);
      return state.stage === 'none' ? 'not_found' : 'gone';
    },
    applySignals: (transactionId, signals, actor, until) => {
      const findKept = keptPayments(log, transactionSetAsideStream(transactionId));
      return signalsInOrder<TransactionState, TransactionEvent>(
        {
          ...{ log, actor, until, evolve: evolveTransaction },
          stream: transactionStream(transactionId),
          setAsideStream: transactionSetAsideStream(transactionId),
          load: () => loadTransaction(log, transactionId),
          decide: (state, signal) => decideOnce(log, state, signal, actor, findKept),
        },
        signals,
      );
    },
  };
};
