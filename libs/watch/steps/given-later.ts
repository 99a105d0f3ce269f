import type { ChainBlock } from '#chains';
import type { Turn } from '../parts.ts';
import { appliedAt } from '../rows/tip.ts';
import type { Match } from './matches.ts';
import type { Applied } from './readings.ts';

/** The clock of the database is another than that of who gives out addresses: an alarm begins where they part by more. */
const CLOCKS_MS = 5_000;

/** A miner's clock may be wrong by that much, and the chain takes it. */
const MINERS_CLOCKS_MS = 7_200_000;

/** When the block was there for certain: once it was applied, else by its own time. */
const thereBy = async ({ pool, chain }: Turn, { hash, height }: Applied, { time }: ChainBlock): Promise<number> => {
  const byItself = time * 1_000 + MINERS_CLOCKS_MS;
  const applied = await appliedAt(pool, chain.coin, { hash, height });
  return applied ? Math.min(applied.getTime() + CLOCKS_MS, byItself) : byItself;
};

/** One whose history cannot be read is credited with what its address is paid, as if it had always had it. */
const issuedAfter = async ({ issuedAt }: Turn, { depositId }: Match, moment: number): Promise<boolean> => {
  if (depositId === null || !issuedAt) return false;
  const issued = await issuedAt(depositId).catch(() => undefined);
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
  for (const match of missing) {
    if (!(await issuedAfter(turn, match, moment))) {
      theirs.push(match);
      continue;
    }
    const { transaction, output, depositId } = match;
    turn.logger.error(
      {
        ...{ alert: 'chain_paid_before_given', chain: turn.chain.coin, height: applied.height, deposit: depositId },
        ...{ txid: transaction.txid, vout: output.vout },
      },
      'an address was paid before the deposit was there that has it: that is credited to nobody',
    );
  }
  return theirs;
};
