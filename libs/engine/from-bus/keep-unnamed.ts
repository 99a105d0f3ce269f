import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { claimSignals } from '../registry/claim.ts';
import type { Claim } from '../registry/claimed.ts';
import { readSignal, shownOf } from '../signals/read-signal.ts';
import { payloadText } from '../take/payload-text.ts';
import type { Lying } from './signals-in.ts';

/** Whoever sent it has the whole of it. */
const MOST_CHARACTERS = 10_000;

const boundedPayload = (raw: unknown): string => {
  const text = payloadText(raw);
  return text.length <= MOST_CHARACTERS ? text : JSON.stringify({ unreadable: text.slice(0, MOST_CHARACTERS) });
};

/** Undefined for what has an id of its own. */
const claimOf = ({ raw, place, fault }: Lying, now: string): Claim | undefined => {
  const read = readSignal(raw, now);
  if (read.kind !== 'unnamed') return undefined;
  return {
    ...shownOf(raw),
    ...{ signalId: place, at: null, payload: boundedPayload(raw), rejectedBecause: fault ?? read.reason },
  };
};

/**
 * Over HTTP its sender is answered; off the bus nobody is, and nobody sends again what was acknowledged: it is kept as
 * rejected under the place where it lay. Gives back the others.
 */
export const keepUnnamed = async (
  { pool, logger }: { readonly pool: pg.Pool; readonly logger: Logger },
  lying: readonly Lying[],
): Promise<readonly unknown[]> => {
  const now = new Date().toISOString();
  const claims = lying.map((each) => claimOf(each, now));
  const kept = claims.filter((claim) => claim !== undefined);
  if (kept.length > 0) {
    await claimSignals(pool, kept, { takenBy: 'engine', logIsBeside: false });
    logger.error(
      { alert: 'signals_unnamed', signals: kept.length, first: kept[0]?.signalId, reason: kept[0]?.rejectedBecause },
      'signals off the bus without an id that can be kept were rejected: they are kept under the place where they lay',
    );
  }
  return lying.flatMap(({ raw }, nth) => (claims[nth] === undefined ? [raw] : []));
};
