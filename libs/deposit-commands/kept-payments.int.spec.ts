import { beforeEach, expect, it } from '@jest/globals';
import type { EngineSignal, Payment } from '#deposits';
import { databasePerTest } from '../../test/support/with-database.ts';
import { keptPayments } from './kept-payments.ts';
import { loadDeposit } from './load.ts';
import { setAsideStream } from './streams.ts';
import { deskTables, made, openTestDesk, request, type TestDesk } from './testing/open-desk.ts';

const database = databasePerTest(...deskTables);
let desk: TestDesk;
beforeEach(async () => {
  desk = database.closing(await openTestDesk(database.url));
});

const at = new Date().toISOString();
let ids = 0;
const signal = () => ({ signalId: `s-${++ids}`, at, now: at });
const seen = (txid: string, amount: string, vout = 0): EngineSignal => ({
  ...{ ...signal(), type: 'payment.seen', txid, vout, amount },
  ...{ fundingAddresses: [`from ${txid}`], replaceable: false },
});
const confirmed = (txid: string, vout = 0): EngineSignal => ({
  ...{ ...signal(), type: 'payment.confirmed', txid, vout },
  ...{ confirmations: 1, blockHash: null, blockHeight: null },
});

/** Whose payments take no outputs: a thousand of them are a few appends. */
const inEther = { currency: 'ETH', caller: { ...request().caller, currencies: ['ETH'] } } as const;

const crowded = async (): Promise<(...signals: EngineSignal[]) => Promise<readonly string[]>> => {
  const { terms } = made(await desk.commands.create(request(inEther)));
  const tell = async (...signals: EngineSignal[]) =>
    (await desk.commands.applySignals(terms.depositId, signals, 'engine')).map(({ outcome }) => outcome);
  await tell(...Array.from({ length: 500 }, (_, vout) => seen('dust', '0.00000001', vout)));
  await tell(...Array.from({ length: 500 }, (_, vout) => seen('more', '0.000002', vout)));
  return tell;
};

const state = async () => (await loadDeposit(desk.log, 1)).state;

it('a payment that found no place is taken in once it is confirmed, as it was seen', async () => {
  const tell = await crowded();
  expect(await tell(confirmed('real'))).toEqual(['rejected']);
  expect(await tell(seen('real', '0.002'))).toEqual(['ignored']);
  expect(await tell(confirmed('real'), confirmed('real'))).toEqual(['applied', 'ignored']);
  expect(await state()).toMatchObject({
    payments: expect.arrayContaining([
      expect.objectContaining({ txid: 'real', amount: '0.002', firstSeenAt: at, state: 'confirmed' }),
    ]),
    fundingAddresses: expect.arrayContaining(['from real']),
  });
}, 60_000);

it('one that is seen and confirmed in the same call is taken in too, dust is not, nor another output', async () => {
  const tell = await crowded();
  expect(await tell(seen('real', '0.002'), confirmed('real'))).toEqual(['ignored', 'applied']);
  expect(await tell(seen('tiny', '0.00000199'), confirmed('tiny'), confirmed('tiny', 1))).toEqual([
    ...['ignored', 'rejected', 'rejected'],
  ]);
}, 60_000);

it('what was read of what is kept is not read again, in whichever call', async () => {
  const tell = await crowded();
  await tell(...Array.from({ length: 100 }, (_, vout) => seen('more dust', '0.00000001', vout)));
  let read = 0;
  const counting = {
    read: async function* (...asked: Parameters<typeof desk.log.read>) {
      for await (const recorded of desk.log.read(...asked)) {
        read += 1;
        yield recorded;
      }
    },
  };
  const { payments } = (await state()) as { payments: readonly Payment[] };
  const find = () => keptPayments(counting, setAsideStream(1))(payments, confirmed('unknown'));
  await find();
  expect(read).toBe(100);
  await find();
  expect(read).toBe(100);
}, 60_000);
