import type { ChainBlock } from '#chains';
import { reasonOf } from '#platform/reason';
import { ChainHeld, type Owner, type Turn, timeOf } from '../parts.ts';
import { paymentsOf } from '../rows/payments.ts';
import { appliedAt } from '../rows/tip.ts';
import { keyOf, type Match, matchKey } from './matches.ts';
import type { Applied } from './readings.ts';

/** The clock of the database is another than that of who gives out addresses: an alarm begins where they part by more. */
const CLOCKS_MS = 5_000;

/** A miner's clock may be wrong by that much, and the chain takes it. */
const MINERS_CLOCKS_MS = 7_200_000;

const byItself = ({ time }: ChainBlock): number => time * 1_000 + MINERS_CLOCKS_MS;

/** When the block was there for certain: once it was applied, else by its own time. */
const thereBy = async ({ pool, chain }: Turn, { hash, height }: Applied, block: ChainBlock): Promise<number> => {
  const applied = await appliedAt(pool, chain.coin, { hash, height });
  return applied ? Math.min(applied.getTime() + CLOCKS_MS, byItself(block)) : byItself(block);
};

const named = ({ depositId, transactionId }: Owner): string =>
  depositId === null ? `transaction ${transactionId}` : `deposit ${depositId}`;

/** While the history of whoever has the address cannot be read, nothing is credited to it: that is asked again. */
const issuedAfter = async ({ issuedAt }: Turn, owner: Owner, moment: number): Promise<boolean> => {
  if (!issuedAt) return false;
  const issued = await issuedAt(owner).catch((error: unknown) => {
    throw new ChainHeld(`since when ${named(owner)} has its address cannot be read: ${reasonOf(error)}`, true);
  });
  return issued !== undefined && issued.getTime() > moment;
};

/**
 * Without what a block paid to an address that nobody had yet: whoever got it later has not paid that, and a person looks
 * whose it is.
 */
export const withoutGivenLater = async (
  turn: Turn,
  missing: readonly Match[],
  applied: Applied,
  block: ChainBlock,
): Promise<readonly Match[]> => {
  if (missing.length === 0 || !turn.issuedAt) return missing;
  const moment = await thereBy(turn, applied, block);
  const theirs: Match[] = [];
  const isLater = new Map<string, boolean>();
  for (const match of missing) {
    const whose = named(match);
    const later = isLater.get(whose) ?? (await issuedAfter(turn, match, moment));
    isLater.set(whose, later);
    if (!later) {
      theirs.push(match);
      continue;
    }
    const { transaction, output, depositId, transactionId } = match;
    turn.logger.error(
      {
        ...{ alert: 'chain_paid_before_given', chain: turn.chain.coin, height: applied.height },
        ...(depositId === null ? { transaction: transactionId } : { deposit: depositId }),
        ...{ txid: transaction.txid, vout: output.vout },
      },
      'an address was paid before anybody had it: that is credited to nobody',
    );
  }
  return theirs;
};

/** The same of a block that is come to late. What was seen before stays whose it is. */
export const withoutNewGivenLater = async (
  turn: Turn,
  matches: readonly Match[],
  applied: Applied,
  block: ChainBlock,
): Promise<readonly Match[]> => {
  // Nobody can have got an address after now.
  if (byItself(block) > timeOf(turn).getTime()) return matches;
  const txids = matches.map(({ transaction }) => transaction.txid);
  const known = new Set((await paymentsOf(turn.pool, turn.chain.coin, txids)).map(keyOf));
  const isKnown = (match: Match): boolean => known.has(matchKey(match));
  const missing = matches.filter((match) => !isKnown(match));
  const theirs = new Set(await withoutGivenLater(turn, missing, applied, block));
  return matches.filter((match) => isKnown(match) || theirs.has(match));
};
