import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { depositEventOf, depositStreamPrefix } from '#deposit-commands';
import type { Deposit, DepositEvent, DepositState } from '#deposits';
import { evolve, initialState } from '#deposits';
import type { EventLog, ProvenEvent, RecordedEvent } from '#event-log';
import type { Finding } from '../verify/finding.ts';
import { breakOf, unfoldable } from '../verify/fold-stream.ts';
import { mustBeKnown } from '../verify/known-words.ts';
import { openShownBefore, type ShownBefore } from './shown-before.ts';

export type ExportOptions = {
  readonly log: Pick<EventLog, 'readByStream'>;
  /** Undefined: the log alone is looked at, and not what was shown of it. */
  readonly pool: pg.Pool | undefined;
  /** One casino alone. */
  readonly casino?: number | undefined;
  /** When the decision was recorded. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/** What was decided about a deposit, its money then, who did it and when. Amounts are decimal text. */
export type Decision = {
  readonly deposit_id: number;
  readonly entity_id: number;
  readonly affiliate_id: number;
  readonly gambler_ref: string;
  readonly test: boolean;
  readonly decision: string;
  readonly decided_at: string | null;
  readonly recorded_at: string;
  readonly actor: string | null;
  readonly event: string;
  readonly currency: string;
  readonly crypto_amount: string;
  readonly confirmed_crypto: string | null;
  readonly usd_amount: string;
  readonly player_amount: string;
  readonly entity_net_usd: string;
  readonly market_rate: string;
  readonly return_id: number | null;
  readonly return_address: string | null;
  readonly revision: number;
  readonly event_id: string;
  readonly hash: string;
};

const decisionOf = ({ terms, amounts, standing, refund }: Deposit, event: RecordedEvent): Decision => ({
  deposit_id: terms.depositId,
  entity_id: terms.entityId,
  affiliate_id: terms.affiliateId,
  gambler_ref: terms.gamblerRef,
  test: terms.test,
  decision: standing.decision,
  decided_at: standing.decisionAt,
  recorded_at: event.recordedAt.toISOString(),
  actor: event.metadata.actor ?? null,
  event: event.type,
  currency: terms.currency,
  crypto_amount: amounts.cryptoAmount,
  confirmed_crypto: standing.confirmedCrypto,
  usd_amount: amounts.usdAmount,
  player_amount: amounts.playerAmount,
  entity_net_usd: amounts.entityNetUsd,
  market_rate: amounts.marketRate,
  return_id: refund?.returnId ?? null,
  return_address: refund?.returnAddress ?? null,
  revision: event.revision,
  event_id: event.id,
  hash: event.metadata.hash,
});

/** A decision, or what keeps those of a stream from being told as they were made. */
export type Told = Decision | Finding;

const isDecided = (event: DepositEvent): boolean =>
  'changes' in event.data && event.data.changes.decision !== undefined && event.data.changes.decision !== 'pending';

const isBehind = ({ to }: ExportOptions, at: Date): boolean => to !== undefined && at > to;

/** One of which nothing is known may be any casino's. */
const isOfCasino = ({ casino }: ExportOptions, state: DepositState): boolean =>
  casino === undefined || state.stage === 'none' || state.terms.entityId === casino;

/** Folds one stream after the other; what is decided by an event is given with it, and what is wrong with it. */
const createTeller = (options: ExportOptions) => {
  let stream: string | undefined;
  let [state, isLost]: [DepositState, boolean] = [initialState, false];
  /** Of events recorded behind `to`: it matters where the clock went back, and more of the stream was recorded before. */
  let waiting: readonly Told[] = [];
  /** Any of it was recorded by then. */
  let hasBegun = false;

  const decidedBy = (proven: ProvenEvent): readonly Decision[] => {
    const recorded = proven.event();
    const event = depositEventOf(recorded);
    mustBeKnown(recorded);
    state = evolve(state, event);
    const isEarly = options.from !== undefined && proven.recordedAt < options.from;
    return state.stage === 'none' || isEarly || !isDecided(event) ? [] : [decisionOf(state, recorded)];
  };

  const told = (proven: ProvenEvent, other: Finding | undefined): readonly Told[] => {
    try {
      const found = proven.problem === undefined ? [] : [breakOf(proven)];
      return [...found, ...(other ? [other] : []), ...decidedBy(proven)];
    } catch (error) {
      // What was decided behind it cannot be known.
      isLost = true;
      return [unfoldable(proven, error)];
    }
  };

  return {
    /** `other`: it stands where another event was shown. */
    look: (proven: ProvenEvent, other: Finding | undefined): readonly Told[] => {
      if (proven.stream !== stream)
        [stream, state, isLost, waiting, hasBegun] = [proven.stream, initialState, false, [], false];
      const each = isLost ? [] : told(proven, other);
      if (isBehind(options, proven.recordedAt)) {
        waiting = [...waiting, ...each.filter((one) => 'problem' in one)];
        return [];
      }
      hasBegun = true;
      const all = [...waiting, ...each];
      waiting = [];
      return isOfCasino(options, state) ? all : [];
    },
    /** Whether anything of the stream that was looked at last was asked for. */
    isAsked: (): boolean => hasBegun && isOfCasino(options, state),
  };
};

/** A stream after the other, each with what was shown of it. */
const createReader = (options: ExportOptions, before: ShownBefore | undefined) => {
  const teller = createTeller(options);
  let stream: string | undefined;

  /** What is missing at the end of the stream that was looked at last. */
  const ended = async (): Promise<readonly Finding[]> => {
    const finding = await before?.ended();
    return finding && teller.isAsked() ? [finding] : [];
  };

  return {
    page: async (page: readonly ProvenEvent[]): Promise<readonly Told[]> => {
      await before?.recall(page);
      const told: Told[] = [];
      for (const proven of page) {
        if (!proven.stream.startsWith(depositStreamPrefix)) continue;
        if (proven.stream !== stream) told.push(...(await ended()));
        stream = proven.stream;
        told.push(...teller.look(proven, before?.look(proven)));
      }
      return told;
    },
    ended,
  };
};

/** Every decision, in the order of streams; of all that was read before nothing is kept but one deposit. */
export async function* decisionsIn(options: ExportOptions): AsyncGenerator<readonly Told[]> {
  const { log, pool, casino } = options;
  const before = pool && openShownBefore({ log, pool, casino });
  const reader = createReader(options, before);
  for await (const page of log.readByStream()) {
    yield await reader.page(page);
    // Others of the process have their turn between two pages.
    await turn();
  }
  yield await reader.ended();
  // What is gone may have been recorded at any time.
  if (before) yield await before.gone();
}
