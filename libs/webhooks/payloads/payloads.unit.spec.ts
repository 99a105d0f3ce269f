import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DepositEvent, decide, echoedView, initialState, nothingEchoed } from '#deposits';
import {
  accept,
  adjusted,
  commandOf,
  confirmed,
  doubleSpent,
  eventsOf,
  fold,
  freeze,
  giveBack,
  history,
  issue,
  kindsOfCommand,
  kyt,
  minute,
  ofac,
  openings,
  refundBroadcast,
  seen,
  settled,
} from '#deposits/testing';
import { type Steps, webhooksOfHistory } from '../testing/told.ts';
import { samplePayload, webhookEvents, webhookIdOf } from './index.ts';

const toldOf = async (event: string, ...steps: Steps): Promise<Record<string, unknown>> => {
  const told = (await webhooksOfHistory(history(...steps))).findLast((webhook) => webhook.event === event);
  if (!told) throw new Error(`no ${event} was told`);
  return JSON.parse(told.body);
};

const address = { type: 'AssignAddress', now: minute(1), address: 'ltc1' } as const;
const kiosk = { ...nothingEchoed, machineId: 'kiosk 3' };
const paid: Steps = [issue(kiosk), address, seen({ at: '2026-03-01T12:01:02.987Z' })];
const screened: Steps = [...paid, ofac('clear'), kyt('passed'), confirmed()];

const common = {
  deposit_id: 7,
  transaction_id: 9,
  entity_id: 3,
  entity_external_code: 'aurora',
  gambler_ref: 'g-1',
  decision: 'pending',
  instant: false,
  instant_downgraded: false,
  acceptable: false,
  crypto_amount: 2,
  confirmed_crypto: 2,
  currency: 'LTC',
  timestamp: expect.any(Number),
};

const aliases = { fee: 0, fee_usd: 0, bf_fee_usd: 0, bf_spread_usd: 0, affiliate_fee_usd: 0 };

describe('a payload has exactly the keys of the interface:', () => {
  it('deposit.received', async () => {
    expect(await toldOf('deposit.received', ...paid)).toEqual({
      ...common,
      event: 'deposit.received',
      status: 'Succeed',
      address: 'ltc1',
      txids: ['tx-a'],
      no_conf: false,
      no_conf_state: null,
      ...echoedView(kiosk),
      timestamp: Date.parse('2026-03-01T12:01:02Z') / 1_000,
    });
  });

  it('deposit.received of a late payment in two outputs of one transaction', async () => {
    const late = { at: minute(31), amount: '1' };
    const told = await toldOf('deposit.received', issue(), seen(late), seen({ ...late, vout: 1 }));
    expect(told).toMatchObject({ late_payment: true, txids: ['tx-a'], confirmed_crypto: 2, address: null });
  });

  it('deposit.confirmed', async () => {
    expect(await toldOf('deposit.confirmed', ...screened)).toEqual({
      ...common,
      event: 'deposit.confirmed',
      acceptable: true,
      status: 'Confirmed',
      address: 'ltc1',
      txids: ['tx-a'],
      no_conf: false,
      no_conf_state: null,
      ...echoedView(kiosk),
    });
  });

  it('kyt_complete', async () => {
    const told = await toldOf('kyt_complete', ...paid, kyt('failed', { riskScore: '9.70' }));
    expect(told).toEqual({
      ...common,
      event: 'kyt_complete',
      decision: 'frozen',
      kyt_status: 'failed',
      kyt_risk_score: '9.7',
    });
  });

  it('ofac_complete', async () => {
    const told = await toldOf('ofac_complete', ...paid, ofac('hit'));
    expect(told).toEqual({ ...common, event: 'ofac_complete', decision: 'frozen', ofac_result: 'hit' });
  });

  it('double_spend_alert', async () => {
    expect(await toldOf('double_spend_alert', issue({ noConf: true }), seen(), doubleSpent())).toEqual({
      ...common,
      event: 'double_spend_alert',
      confirmed_crypto: null,
      double_spent_at: minute(1),
      double_spend_txid: 'tx-thief',
      no_conf_state: 'double_spent',
    });
  });

  it('deposit.accepted', async () => {
    expect(await toldOf('deposit.accepted', ...screened, accept())).toEqual({
      ...common,
      ...aliases,
      event: 'deposit.accepted',
      address: 'ltc1',
      usd_amount: 100,
      player_amount: 100,
      entity_net_usd: 100,
      affiliate_net_usd: 100,
      charges: [],
      adjusted: false,
      crypto_rate: '50',
      decision: 'accepted',
      decision_at: minute(5),
      no_conf: false,
      ...echoedView(kiosk),
      timestamp: Date.parse(minute(5)) / 1_000,
    });
  });

  it('deposit.accepted at the received amount, with charges', async () => {
    const fee = { beneficiary: 'BF', kind: 'FEE', paidBy: 'PLAYER', percent: '0.02' } as const;
    const steps: Steps = [issue({ fees: [fee] }), seen({ amount: '1' }), ofac('clear'), kyt('passed'), confirmed()];
    const told = await toldOf('deposit.accepted', ...steps, adjusted());
    expect(told).toMatchObject({
      adjusted: true,
      crypto_amount: 1,
      usd_amount: 50,
      charges: [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.02 }],
    });
    expect(told.fee_usd).toBe((told.charges as { amount_usd: number }[])[0]?.amount_usd);
  });

  it('deposit.returned', async () => {
    expect(await toldOf('deposit.returned', ...screened, giveBack({ reason: 'wrong player' }))).toEqual({
      ...common,
      event: 'deposit.returned',
      decision: 'returned',
      decision_at: minute(5),
      return_id: 5,
      return_address: 'home',
      reason: 'wrong player',
    });
  });

  it('deposit.frozen', async () => {
    expect(await toldOf('deposit.frozen', ...screened, freeze())).toEqual({
      ...common,
      event: 'deposit.frozen',
      decision: 'frozen',
      decision_at: minute(5),
    });
  });

  const transaction = {
    transaction_id: 9,
    deposit_id: 7,
    entity_id: 3,
    entity_external_code: 'aurora',
    currency: 'LTC',
    crypto_amount: 2,
    usd_amount: 100,
    timestamp: expect.any(Number),
  };

  it('transaction.pending', async () => {
    expect(await toldOf('transaction.pending', issue())).toEqual({
      ...transaction,
      event: 'transaction.pending',
      status: 'Pending',
      confirmed_crypto: null,
      timestamp: Date.parse(minute(0)) / 1_000,
    });
  });

  it('transaction.refund', async () => {
    expect(await toldOf('transaction.refund', ...screened, giveBack(), refundBroadcast())).toEqual({
      ...transaction,
      event: 'transaction.refund',
      status: 'Refund',
      confirmed_crypto: 2,
      return_id: 5,
      refund_txid: 'refund-a',
    });
  });

  it('transaction.settled, which leaves the status', async () => {
    expect(await toldOf('transaction.settled', ...screened, accept(), settled('batch-1'))).toEqual({
      ...transaction,
      event: 'transaction.settled',
      status: 'Confirmed',
      confirmed_crypto: 2,
    });
  });

  it.each(webhookEvents)('a test event of %s, marked and of no deposit', (event) => {
    const sample = samplePayload(event, { id: 3, externalCode: 'aurora' }, minute(0));
    expect(sample).toMatchObject({ event, test: true, deposit_id: 0, transaction_id: 0, entity_id: 3 });
    expect('acceptable' in sample).toBe(!event.startsWith('transaction.'));
  });
});

describe('a deposit of a test casino', () => {
  it('is told like any other, without the marker of test events', async () => {
    expect(await toldOf('transaction.pending', issue({ test: true }))).not.toHaveProperty('test');
  });
});

describe('a casino without a code of its own', () => {
  it('is told with a null', async () => {
    const [told] = await webhooksOfHistory(history(issue()), null);
    expect(JSON.parse(told?.body ?? '')).toHaveProperty('entity_external_code', null);
  });
});

const sortedThroughout = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(sortedThroughout);
  const keys = Object.keys(value);
  return keys.every((key, i) => i === 0 || (keys[i - 1] ?? '') < key) && Object.values(value).every(sortedThroughout);
};

const dice = fc.record({
  what: fc.nat(kindsOfCommand - 1),
  payment: fc.nat(6),
  amount: fc.nat(6),
  minutes: fc.constantFrom(1, 2, 10, 29, 30, 31, 40),
  flag: fc.boolean(),
  signalId: fc.nat(400),
});

const lives = fc.tuple(fc.constantFrom(...openings), fc.array(dice, { minLength: 5, maxLength: 40 }), fc.nat());

const live = ([opening, throws]: [(typeof openings)[number], Parameters<typeof commandOf>[0][], number]) => {
  const events: DepositEvent[] = [...eventsOf(decide(initialState, opening))];
  for (const thrown of throws) events.push(...eventsOf(decide(fold(events), commandOf(thrown))));
  return events;
};

describe('whatever happens to a deposit', () => {
  it('what was told of a part of its history is told in the same bytes of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        const events = live(life);
        const whole = await webhooksOfHistory(events);
        const part = await webhooksOfHistory(events.slice(0, life[2] % (events.length + 1)));
        expect(whole.slice(0, part.length)).toEqual(part);
        expect(new Set(whole.map(({ webhookId }) => webhookId)).size).toBe(whole.length);
      }),
      { numRuns: 100 },
    );
  });

  it('every body is JSON with sorted keys and no white space', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        for (const { body } of await webhooksOfHistory(live(life))) {
          const payload: unknown = JSON.parse(body);
          expect(sortedThroughout(payload)).toBe(true);
          expect(JSON.stringify(payload)).toBe(body);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the id of a webhook', () => {
  const noon = new Date('2026-03-01T12:00:00.000Z');
  const later = (ms: number): Date => new Date(noon.getTime() + ms);

  it('is a UUID that follows from the event and the name', () => {
    const id = webhookIdOf('event-1', 'ofac_complete', noon);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(webhookIdOf('event-1', 'ofac_complete', noon)).toBe(id);
    expect(webhookIdOf('event-2', 'ofac_complete', noon)).not.toBe(id);
    expect(webhookIdOf('event-1', 'kyt_complete', noon)).not.toBe(id);
  });

  it('comes later in order for an event that was recorded later', () => {
    const ids = [0, 1, 255, 256, 86_400_000, 40_000_000_000].map((ms) =>
      webhookIdOf(`event-${ms}`, 'ofac_complete', later(ms)),
    );
    expect(ids.toSorted()).toEqual(ids);
  });
});
