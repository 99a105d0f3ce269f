import { beforeEach, describe, expect, it } from '@jest/globals';
import { BrokenHistory, type EventLog, LogReadOnly } from '#event-log';
import { createHealth } from '#platform/health';
import { createLog } from '#platform/logging';
import { refusedWhileLacking } from './refused-while-lacking.ts';
import { tellBroken } from './tell-broken.ts';

const cut = new BrokenHistory('stream deposit-1 ends at revision 2, and was shown up to 5');
const lacking = new LogReadOnly('it is written nothing while it lacks what was shown of it');

const log = {
  read: async function* () {
    yield* [];
    throw cut;
  },
} as unknown as EventLog;

const readOf = (isWhole: () => Promise<void>) =>
  Array.fromAsync(refusedWhileLacking(log, { isWhole }).read('deposit-1'));

describe('A history that is not as it was written', () => {
  it('stays so in a log that has all that was shown', async () => {
    await expect(readOf(async () => undefined)).rejects.toBe(cut);
    await expect(Array.fromAsync(refusedWhileLacking(log, undefined).read('deposit-1'))).rejects.toBe(cut);
  });

  it('is refused as a write is in one that lacks that', async () => {
    await expect(readOf(() => Promise.reject(lacking))).rejects.toBe(lacking);
  });
});

describe('The alarm of a history', () => {
  let said: Record<string, unknown>[];
  let health: ReturnType<typeof createHealth>;
  let told: ReturnType<typeof tellBroken>;

  beforeEach(() => {
    said = [];
    health = createHealth();
    const { logger } = createLog({ level: 'info', to: { write: (line) => said.push(JSON.parse(line)) } });
    told = tellBroken({ health, logger });
  });

  const alarms = async () => (await health.readiness()).alarms;

  it('is told once, and goes with the read that finds that one whole again', async () => {
    for (let times = 0; times < 2; times++) told.onBroken(cut, 'deposit-1');
    told.onBroken(new BrokenHistory('another place of it'), 'deposit-1');
    told.onBroken(new BrokenHistory('an event of deposit-2'), 'deposit-2');
    expect(said.map(({ alert }) => alert)).toEqual(['broken_history', 'broken_history', 'broken_history']);
    expect([told.broken(), await alarms()]).toEqual([
      ['deposit-1', 'deposit-2'],
      [cut.message, 'another place of it', 'an event of deposit-2'],
    ]);
    for (const stream of ['deposit-1', 'deposit-3']) told.onWhole(stream);
    expect([told.broken(), await alarms()]).toEqual([['deposit-2'], ['an event of deposit-2']]);
    told.onBroken(cut, 'deposit-1');
    expect(await alarms()).toEqual(['an event of deposit-2', cut.message]);
  });
});
