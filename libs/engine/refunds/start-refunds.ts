import type { Queryable } from '#platform/postgres';
import { type Repeated, repeat } from '#platform/repeat';
import { type RefundParts, sendRefund } from './send-refund.ts';

export type StartRefunds = Omit<RefundParts, 'now'> & {
  readonly now?: () => Date;
  /** "A refund processor checks queued returns every 5 minutes": of all instances together. */
  readonly cycleMs?: number;
  /** How often an instance looks whether the next cycle is due. */
  readonly everyMs?: number;
};

const FIVE_MINUTES_MS = 300_000;
const PAGE = 500;

const TAKE_CYCLE = `
  UPDATE refund_cycle SET next_run_at = now() + make_interval(secs => $1) WHERE next_run_at <= now()`;

/** The time of the next cycle is a row: a restart keeps it, and one instance moves it on. */
const takeCycle = async (db: Queryable, cycleMs: number): Promise<boolean> =>
  (await db.query(TAKE_CYCLE, [cycleMs / 1000])).rowCount === 1;

type Queued = { readonly return_id: number; readonly deposit_id: number };

const queuedAfter = async (db: Queryable, last: number): Promise<readonly Queued[]> =>
  (
    await db.query<Queued>(
      `SELECT return_id, deposit_id FROM returns WHERE state = 'queued' AND return_id > $1 ORDER BY return_id LIMIT $2`,
      [last, PAGE],
    )
  ).rows;

/** Works off the queue of returns, every five minutes. One that cannot be sent now holds up no other. */
export const startRefunds = (options: StartRefunds): Repeated => {
  const { pool, logger, cycleMs = FIVE_MINUTES_MS, everyMs = 1_000, now = () => new Date() } = options;
  const parts: RefundParts = { ...options, now };

  const tryToSend = async (depositId: number): Promise<void> => {
    try {
      await sendRefund(parts, depositId);
    } catch (error) {
      logger.error({ err: error, deposit_id: depositId }, 'a refund could not be sent; the next cycle tries again');
    }
  };

  const workOff = async (): Promise<void> => {
    let last = 0;
    for (let page = await queuedAfter(pool, last); page.length > 0; page = await queuedAfter(pool, last)) {
      for (const { deposit_id } of page) await tryToSend(deposit_id);
      last = page.at(-1)?.return_id ?? last;
    }
  };

  return repeat({
    pollMs: Math.min(everyMs, cycleMs),
    onError: (error) => logger.warn({ err: error }, 'the queue of returns cannot be worked off now'),
    work: async () => {
      if (await takeCycle(pool, cycleMs)) await workOff();
      return false;
    },
  });
};
