import { beforeEach, describe, expect, it } from '@jest/globals';
import { BrokenHistory, type EventLog, LogReadOnly, LogUnavailable, OutcomeUnknown } from '#event-log';
import { createHealth } from '#platform/health';
import { createLog } from '#platform/logging';
import { refusedWhileLacking, refusingWhileLacking } from './refused-while-lacking.ts';
import { tellBroken } from './tell-broken.ts';

const cut = new BrokenHistory('stream deposit-1 ends at revision 2, and was shown up to 5');
const lacking = new LogReadOnly('it is written nothing while it lacks what was shown of it');

let exchanges: number;
let isWhole: () => Promise<void>;

const refuse = (): Promise<never> => Promise.reject(cut);

const log = {
  read: async function* () {
    yield* [];
    throw cut;
  },
  append: refuse,
  lastRevision: refuse,
} as unknown as EventLog;

beforeEach(() => {
  [exchanges, isWhole] = [0, async () => undefined];
});

const claim = { isWhole: () => isWhole(), exchanges: () => exchanges };

const reads = [
  ['a read', () => Array.fromAsync(refusedWhileLacking(log, claim).read('deposit-1'))],
  ['its end', () => refusedWhileLacking(log, claim).lastRevision('deposit-1')],
  ['what is shown of it', () => refusingWhileLacking(claim)(refuse)],
] as const;

describe('A history that is not as it was written', () => {
  it.each(reads)('stays so in a log that has all that was shown: %s', async (_, ask) => {
    await expect(ask()).rejects.toBe(cut);
    await expect(Array.fromAsync(refusedWhileLacking(log, undefined).read('deposit-1'))).rejects.toBe(cut);
    await expect(refusingWhileLacking(undefined)(refuse)).rejects.toBe(cut);
  });

  it.each(reads)('is refused as a write is in one that lacks that: %s', async (_, ask) => {
    isWhole = () => Promise.reject(lacking);
    await expect(ask()).rejects.toBe(lacking);
  });

  it.each(reads)(
    'is refused where the own log, which has all, came back in its place meanwhile: %s',
    async (_, ask) => {
      isWhole = async () => {
        exchanges += 1;
      };
      const refusal: unknown = await ask().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(LogUnavailable);
      expect(refusal).toMatchObject({ cause: cut });
    },
  );

  it('is not known to have been appended to, or not, beside such a log', async () => {
    const append = () => refusedWhileLacking(log, claim).append('deposit-1', 0, []);
    await expect(append()).rejects.toBe(cut);
    isWhole = () => Promise.reject(lacking);
    await expect(append()).rejects.toBeInstanceOf(OutcomeUnknown);
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
