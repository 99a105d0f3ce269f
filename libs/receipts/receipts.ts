import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { repeat } from '#platform/repeat';
import { sendDueReceipts } from './send-due.ts';

/** Works off what the projection finds due. */
export type Receipts = {
  /** Waits for the receipts under way. */
  readonly close: () => Promise<void>;
};

export type ReceiptsOptions = { readonly pool: pg.Pool; readonly logger: Logger; readonly pollMs?: number };

const POLL_MS = 250;

export const openReceipts = ({ pool, logger, pollMs = POLL_MS }: ReceiptsOptions): Receipts => {
  const worker = repeat({
    work: () => sendDueReceipts(pool, logger),
    pollMs,
    onError: (error) => logger.warn({ err: error }, 'receipts cannot be sent now'),
  });
  return { close: worker.stop };
};
