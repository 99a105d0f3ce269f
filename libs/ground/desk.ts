import { type Addresses, openAddresses } from '#addresses';
import { type Counters, openCounters } from '#counters';
import { type Currencies, openCurrencies } from '#currencies';
import { type DepositCommands, openDepositCommands } from '#deposit-commands';
import { ofThisLog } from '#instances';
import { type Kyc, openKyc } from '#kyc';
import { type LegacyCommands, openLegacyCommands } from '#legacy-commands';
import { type Messages, openMessages } from '#messages';
import { restoredMarkOf } from '#platform/embedded-postgres';
import { endsWithin } from '#platform/pause';
import { openRates, type Rates } from '#rates';
import { type DepositReads, openDepositReads } from '#read-models/deposits';
import { openTransactionReads, type TransactionReads } from '#read-models/legacy-transactions';
import type { Ground } from './ground.ts';
import { holdToEngine } from './one-engine.ts';
import { holdToInstallation } from './one-installation.ts';
import { rateSourcesFor } from './providers.ts';
import { refusedWhileLacking, refusingWhileLacking } from './refused-while-lacking.ts';
import { StartError } from './start-error.ts';
import { tellRepeated } from './tell-as-before.ts';
import { beforeOurs } from './until-ours.ts';

/** A log that answers is counted before anything is served; one that does not is waited for in the background. */
const FIRST_LOOK_MS = 5_000;

const openCounting = async ({
  claim,
  configuration,
  health,
  lifecycle,
  log,
  logger,
  partners,
  pool,
}: Ground): Promise<Counters> => {
  const { database, dataDir, eventStore } = configuration;
  const isOfTheLog = eventStore.kind === 'postgres';
  const restored = database.kind === 'embedded' ? restoredMarkOf(dataDir) : undefined;
  const counted = claim ? beforeOurs(log, claim.log) : log;
  const counters = openCounters({ pool, log: counted, logger, health, isOfTheLog, restored });
  lifecycle.onStop('stop-consumers', 'the counting of the log', counters.stop);
  health.addCheck('numbers', counters.counted);
  partners.numberAfter(counters.beforeGiving);
  if (await endsWithin(counters.firstLook, FIRST_LOOK_MS)) {
    const ahead = await counters.firstLook;
    if (ahead) throw new StartError(ahead.message, { cause: ahead });
  }
  return counters;
};

/** What is refused by the log would be given to nobody, and is used up all the same. */
const whileWritten = ({ giving }: Counters, { claim }: Ground): Counters['giving'] =>
  claim
    ? (take) =>
        giving(async () => {
          await claim.isWhole();
          return take();
        })
    : giving;

/** An address is given out like a number. */
const takingAfter = (addresses: Addresses, { giving }: Counters): Addresses => ({
  ...addresses,
  take: (...asked) => giving(() => addresses.take(...asked)),
  takeWithin: (...asked) => giving(() => addresses.takeWithin(...asked)),
  takeForTransaction: (...asked) => giving(() => addresses.takeForTransaction(...asked)),
});

/** Everything that a request may ask for. */
export type ServiceDesk = {
  readonly rates: Rates;
  readonly currencies: Currencies;
  readonly addresses: Addresses;
  readonly kyc: Kyc;
  readonly messages: Messages;
  readonly reads: DepositReads;
  readonly commands: DepositCommands;
  /** The older transactions: what can be done to them, and what is read of them. */
  readonly legacy: LegacyCommands;
  readonly transactions: TransactionReads;
};

const OFAC_DEADLINE_SECONDS = 60;
const ADDRESS_WAIT_MS = 30_000;

/** A row that is ahead of its history in a log that lacks its end is no older in the own one. */
const openReads = async ({ claim, databaseUrl, pool, log }: Ground): Promise<DepositReads> => {
  const reads = await openDepositReads({ url: databaseUrl, pool, log });
  const refusing = refusingWhileLacking(claim);
  return { ...reads, byId: (...asked) => refusing(() => reads.byId(...asked)) };
};

type World = Omit<ServiceDesk, 'commands' | 'legacy' | 'transactions'>;

const givenWhileIn = ({ configuration }: Ground): string => ofThisLog(configuration.eventStore.kind);

const openCommands = (
  ground: Ground,
  { rates, currencies, addresses, kyc, reads }: World,
  counters: Counters,
): DepositCommands =>
  openDepositCommands({
    giving: counters.giving,
    givenWhile: givenWhileIn(ground),
    onForeignDeposit: (id) => counters.stoodInLog('deposit', id),
    onRepeat: (id) => tellRepeated(ground.pool, id),
    pool: ground.pool,
    log: refusedWhileLacking(ground.log, ground.claim),
    logger: ground.logger,
    bodyKey: ground.secrets.derive('bodies of idempotency keys'),
    currentRate: rates.current,
    isEnabled: currencies.isEnabled,
    isReturningPlayer: reads.isReturningPlayer,
    casino: ground.partners.casino,
    checkPlayer: kyc.checkPlayer,
    takeAddress: addresses.take,
    takeAddressWithin: addresses.takeWithin,
    ofacDeadlineSeconds: OFAC_DEADLINE_SECONDS,
    addressWaitMs: ADDRESS_WAIT_MS,
  });

const openLegacy = (ground: Ground, { rates, addresses }: World, { giving, stoodInLog }: Counters) => {
  const stores = { pool: ground.pool, log: refusedWhileLacking(ground.log, ground.claim) };
  return {
    legacy: openLegacyCommands({
      ...stores,
      ...{ giving, givenWhile: givenWhileIn(ground) },
      onForeignTransaction: (id) => stoodInLog('transaction', id),
      currentRate: rates.current,
      takeAddress: addresses.takeForTransaction,
      addressWaitMs: ADDRESS_WAIT_MS,
    }),
    transactions: openTransactionReads(stores),
  };
};

/** `publicUrl` is asked when a link is made: a port of 0 is known only once the service listens. */
export const openDesk = async (ground: Ground, publicUrl: () => string): Promise<ServiceDesk> => {
  const { configuration, lifecycle, logger, partners, pool, secrets } = ground;
  await holdToInstallation(ground, async () => {
    const held = await holdToEngine(ground);
    lifecycle.onStop('close-stores', 'the hold on the engine', held.stop);
  });
  const rates = openRates({ pool, logger, sources: rateSourcesFor(configuration) });
  const currencies = openCurrencies({ pool });
  const counted = await openCounting(ground);
  const counters = { ...counted, giving: whileWritten(counted, ground) };
  const pooled = await openAddresses({ pool, secrets, logger, demo: configuration.demo });
  const addresses = takingAfter(pooled, counters);
  const kyc = openKyc({
    pool,
    secrets,
    logger,
    casino: partners.casino,
    publicUrl,
    textLimits: configuration.textLimits,
  });
  const reads = await openReads(ground);
  const world = { rates, currencies, addresses, kyc, messages: openMessages(pool), reads };
  lifecycle.onStop('stop-consumers', 'the pool of addresses', addresses.close);
  lifecycle.onStop('close-stores', 'the reads', reads.close);
  return { ...world, commands: openCommands(ground, world, counters), ...openLegacy(ground, world, counters) };
};
