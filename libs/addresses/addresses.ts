import type pg from 'pg';
import { type Ticker, tickers } from '#money';
import type { Logger } from '#platform/logging';
import type { Secrets } from '#platform/secrets';
import { configureExtendedKey, type NewExtendedKey } from './keys/configure.ts';
import { prepareFirstKey } from './keys/first-key.ts';
import { activeKeys, type ExtendedKeyRow } from './keys/list.ts';
import { type AvailableListener, createNotices } from './notices.ts';
import { type AddOutcome, addAddresses } from './pool/add.ts';
import { writeAvailability } from './pool/availability.ts';
import { type PoolRow, poolOverview } from './pool/overview.ts';
import { type AddressOwner, ownerOf } from './pool/owner-of.ts';
import { createRefiller, type Marks } from './refill/refiller.ts';
import { createTaking, type Taking } from './taking.ts';

export type PoolState = PoolRow & { readonly marks: Marks };

export type Addresses = Taking & {
  readonly add: (currency: Ticker, addresses: readonly string[], actor: string) => Promise<AddOutcome>;
  readonly setAvailable: (currency: Ticker, available: boolean, actor: string) => Promise<void>;
  /** Whom an address was given to, in whatever case it is spelled. */
  readonly ownerOf: (address: string) => Promise<AddressOwner | undefined>;
  readonly pools: () => Promise<readonly PoolState[]>;
  readonly configureKey: (key: NewExtendedKey) => Promise<void>;
  readonly keys: () => Promise<readonly ExtendedKeyRow[]>;
  /** Called on this instance when the pool of a currency may have addresses again. */
  readonly onAvailable: (listener: AvailableListener) => void;
  readonly close: () => Promise<void>;
};

export type AddressesOptions = Partial<Marks> & {
  readonly pool: pg.Pool;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly logger: Logger;
  /** Whether a key of the first start may serve. */
  readonly demo: boolean;
};

const MARKS: Marks = { lowWater: 40, highWater: 120 };

/** Makes the first key where one is wanted; the pools fill in the background. */
export const openAddresses = async ({
  pool,
  secrets,
  logger,
  demo,
  ...wanted
}: AddressesOptions): Promise<Addresses> => {
  await prepareFirstKey(pool, secrets, demo);
  const marks: Marks = { ...MARKS, ...wanted };
  const notices = createNotices(logger);
  const tellSource = (currency: Ticker, actor: string): void =>
    logger.warn({ alert: 'address_source_changed', currency, actor }, 'where deposits are paid to has changed');
  const refiller = createRefiller({ pool, logger, ...marks, onFilled: notices.tell });
  const { take, takeWithin, takeForTransaction, settled } = createTaking({ pool, refiller, notices });
  for (const currency of tickers) refiller.look(currency);
  return {
    take,
    takeWithin,
    takeForTransaction,
    add: async (currency, addresses, actor) => {
      const outcome = await addAddresses(pool, { currency, addresses, actor });
      if (outcome.outcome === 'applied') {
        tellSource(currency, actor);
        notices.tell(currency);
      }
      return outcome;
    },
    setAvailable: async (currency, available, actor) => {
      await writeAvailability(pool, { currency, available, actor });
      if (available) notices.tell(currency);
    },
    ownerOf: (address) => ownerOf(pool, address),
    pools: async () => (await poolOverview(pool)).map((row) => ({ ...row, marks })),
    configureKey: async (key) => {
      await configureExtendedKey(pool, key);
      tellSource(key.currency, key.actor);
      refiller.look(key.currency);
    },
    keys: () => activeKeys(pool),
    onAvailable: notices.listen,
    close: async () => {
      notices.close();
      await settled();
      await refiller.close();
    },
  };
};
