import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { createLog } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations, tellAsBefore } from './index.ts';
import { tell } from './rows/outbox.ts';
import { type SendParts, sendSignals } from './send.ts';
import { type RawSignal, toldAgain } from './signals.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const of = (deposit_id: number, signal_id: string, txid?: string): RawSignal => ({ signal_id, deposit_id, txid });

/** A chain that knows a payment to deposit 1, whatever was told of it. */
const paid = async (): Promise<string> => {
  const node = memoryNode('node');
  const watch = watching(database, 'LTC', [node]);
  await watch.turn();
  await watch.give(SCRIPT, 1);
  node.mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turn();
  const [seen] = await watch.told();
  return String(seen?.txid);
};

const nobodyAnswers: SendParts['takeSignals'] = async () => [];

/** What goes to the door, call by call, until nothing is left. */
const sent = async (answer = nobodyAnswers): Promise<readonly (readonly string[])[]> => {
  const calls: string[][] = [];
  const { logger } = createLog({ level: 'warn', to: { write: () => undefined } });
  const send = () =>
    sendSignals({
      ...{ pool: database.pool, logger, chain: 'LTC', isFault: () => false },
      takeSignals: async (signals, actor) => {
        const ids = (signals as readonly RawSignal[]).map(({ signal_id }) => String(signal_id));
        calls.push(ids);
        const answers = await answer(signals, actor);
        return ids.map((signal_id, nth) => answers[nth] ?? { signal_id, outcome: 'applied', detail: null });
      },
    });
  for (let more = true; more; ) more = await send();
  return calls;
};

describe('what was told of a deposit whose end was lost', () => {
  it('is told as before, in its order, before all that waits of the same', async () => {
    const txid = await paid();
    await tell(database.pool, 'LTC', [of(1, 'waits'), of(2, 'of another')]);
    await tellAsBefore(database.pool, [of(1, 'seen', txid), of(1, 'confirmed', txid)]);
    expect(await sent()).toEqual([['seen', 'confirmed', 'waits', 'of another']]);
  });

  it('is told by its own chain, and by none where none knows the payment', async () => {
    const txid = await paid();
    await tellAsBefore(database.pool, []);
    await tellAsBefore(database.pool, [of(1, 'seen', 'another')]);
    await tellAsBefore(database.pool, [of(2, 'seen', txid)]);
    await tellAsBefore(database.pool, [of(1, 'guarded')]);
    expect(await sent()).toEqual([]);
    await tellAsBefore(database.pool, [of(1, 'guarded'), of(1, 'confirmed', txid)]);
    expect(await sent()).toEqual([['guarded', 'confirmed']]);
  });

  it('leaves others their turn, however much of it is told', async () => {
    const txid = await paid();
    await tell(database.pool, 'LTC', [of(2, 'of another')]);
    const many = Array.from({ length: 300 }, (_, nth) => of(1, `as before ${nth}`, txid));
    await tellAsBefore(database.pool, many);
    const [first, ...later] = await sent();
    expect(first).toEqual([...many.slice(0, 25).map(({ signal_id }) => signal_id), 'of another']);
    expect(later.flat()).toEqual(many.slice(25).map(({ signal_id }) => signal_id));
  });

  it('has what was on its way then, and was not taken, come behind it once more', async () => {
    const txid = await paid();
    const waits = of(1, 'waits');
    await tell(database.pool, 'LTC', [waits, of(2, 'of another'), of(1, 'taken')]);
    let isFirst = true;
    const calls = await sent(async () => {
      if (!isFirst) return [];
      isFirst = false;
      await tellAsBefore(database.pool, [of(1, 'seen', txid)]);
      return [
        { signal_id: 'waits', outcome: 'rejected', detail: 'the payment was never seen' },
        { signal_id: 'of another', outcome: 'ignored', detail: 'the payment is confirmed already' },
        { signal_id: 'taken', outcome: 'applied', detail: null },
      ];
    });
    expect(calls).toEqual([
      ['waits', 'of another', 'taken'],
      ['seen', toldAgain(waits).signal_id],
    ]);
  });
});
