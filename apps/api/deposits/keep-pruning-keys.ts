import type { DepositCommands } from '#deposit-commands';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';

const EVERY_MS = 3_600_000;

/** Lets go of idempotency keys past their time, now and every hour. */
export const keepPruningKeys = (
  { pruneIdempotencyKeys }: Pick<DepositCommands, 'pruneIdempotencyKeys'>,
  logger: Logger,
): Repeated =>
  repeat({
    work: async () => {
      await pruneIdempotencyKeys();
      return false;
    },
    pollMs: EVERY_MS,
    onError: (error) => logger.warn({ err: error }, 'old idempotency keys were not pruned'),
  });
