import { setImmediate as turn } from 'node:timers/promises';
import { csvLine } from '#csv';
import { depositEventOf, depositStreamPrefix } from '#deposit-commands';
import type { Deposit, DepositEvent, DepositState } from '#deposits';
import { evolve, initialState } from '#deposits';
import type { EventLog, ProvenEvent, RecordedEvent } from '#event-log';

export type ExportFormat = 'csv' | 'ndjson';

export type ExportOptions = {
  readonly log: Pick<EventLog, 'readByStream'>;
  readonly format: ExportFormat;
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

const columns = [
  ...['deposit_id', 'entity_id', 'affiliate_id', 'gambler_ref', 'test', 'decision', 'decided_at', 'recorded_at'],
  ...['actor', 'event', 'currency', 'crypto_amount', 'confirmed_crypto', 'usd_amount', 'player_amount'],
  ...['entity_net_usd', 'market_rate', 'return_id', 'return_address', 'revision', 'event_id', 'hash'],
] as readonly (keyof Decision)[];

const isDecided = (event: DepositEvent): boolean =>
  'changes' in event.data && event.data.changes.decision !== undefined && event.data.changes.decision !== 'pending';

const isAsked = ({ casino, from, to }: ExportOptions, { terms }: Deposit, { recordedAt }: RecordedEvent): boolean =>
  (casino === undefined || terms.entityId === casino) &&
  (from === undefined || recordedAt >= from) &&
  (to === undefined || recordedAt <= to);

/** Folds one stream after the other; what is decided by an event is given with it. */
const createTeller = (options: ExportOptions) => {
  let [stream, state]: [string | undefined, DepositState] = [undefined, initialState];
  return (proven: ProvenEvent): Decision | undefined => {
    if (!proven.stream.startsWith(depositStreamPrefix)) return undefined;
    if (proven.stream !== stream) [stream, state] = [proven.stream, initialState];
    const recorded = proven.event();
    const event = depositEventOf(recorded);
    state = evolve(state, event);
    if (state.stage === 'none' || !isDecided(event) || !isAsked(options, state, recorded)) return undefined;
    return decisionOf(state, recorded);
  };
};

/** Every decision, in the order of streams; of all that was read before nothing is kept but one deposit. */
async function* decisions(options: ExportOptions): AsyncGenerator<readonly Decision[]> {
  const tell = createTeller(options);
  for await (const page of options.log.readByStream()) {
    yield page.map(tell).filter((decision) => decision !== undefined);
    // Others of the process have their turn between two pages.
    await turn();
  }
}

/** As text, a page at a time: whoever reads slowly is waited for. */
export async function* exportDecisions(options: ExportOptions): AsyncGenerator<string> {
  if (options.format === 'csv') yield csvLine(columns);
  for await (const page of decisions(options)) {
    const lines = page.map((decision) =>
      options.format === 'csv' ? csvLine(columns.map((name) => decision[name])) : `${JSON.stringify(decision)}\n`,
    );
    if (lines.length > 0) yield lines.join('');
  }
}
