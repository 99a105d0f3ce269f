import type { Instant } from '#deposits';
import { BrokenHistory } from '#event-log';
import { type Currency, currencies } from '#money';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';
import type { AssignRequest } from './address.ts';

export type CompletionParts = {
  /** Deposits of this currency that wait for an address and are not expired. */
  readonly idsWithoutAddress: (currency: Currency, now: Instant) => Promise<readonly number[]>;
  readonly takeAddress: (currency: Currency, depositId: number) => Promise<string | undefined>;
  readonly assignAddress: (request: AssignRequest) => Promise<unknown>;
  /** Tells when a pool may have addresses again. */
  readonly onAvailable: (listener: (currency: string) => void) => void;
  readonly logger: Logger;
  /** For what another instance added, and what was missed. */
  readonly everyMs?: number;
};

const EVERY_MS = 2_000;

const ACTOR = 'address pool';

/** Of a deposit whose history is not as it was written nothing is decided; it is told once, and the others go on. */
const assigning = ({ assignAddress, logger }: CompletionParts) => {
  const told = new Set<number>();
  return async (depositId: number, address: string): Promise<void> => {
    try {
      await assignAddress({ depositId, address, actor: ACTOR });
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
      if (told.has(depositId)) return;
      told.add(depositId);
      const fields = { alert: 'address_not_assigned', err: error, deposit_id: depositId };
      logger.error(fields, 'a deposit gets no address, since its history is not as it was written');
    }
  };
};

type Assign = ReturnType<typeof assigning>;

/** Until the pool is empty again. Both steps are the same however often and wherever they are done. */
const complete = async (parts: CompletionParts, assign: Assign, currency: Currency): Promise<void> => {
  const { idsWithoutAddress, takeAddress } = parts;
  for (const depositId of await idsWithoutAddress(currency, new Date().toISOString())) {
    const address = await takeAddress(currency, depositId);
    if (address === undefined) return;
    await assign(depositId, address);
  }
};

/** "A deposit without an address gets one as soon as the pool has one again, while it is unexpired." */
export const startAddressCompletion = (parts: CompletionParts): Repeated => {
  const { logger, onAvailable, everyMs = EVERY_MS } = parts;
  const assign = assigning(parts);
  const tell = (error: unknown, currency?: Currency): void =>
    logger.warn({ err: error, currency }, 'deposits without an address could not be completed now');

  const sweep = async (): Promise<boolean> => {
    for (const currency of currencies)
      await complete(parts, assign, currency).catch((error: unknown) => tell(error, currency));
    return false;
  };

  const sweeping = repeat({ work: sweep, pollMs: everyMs, onError: tell });
  onAvailable(sweeping.wake);
  return sweeping;
};
