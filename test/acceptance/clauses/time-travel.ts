import { describe, expect, it } from '@jest/globals';
import {
  as,
  type Body,
  type Casino,
  type Deposit,
  type DepositHandle,
  done,
  newCasino,
  type Service,
  unique,
  verdict,
} from '../harness/index.ts';

type Recorded = Body & { readonly revision: number; readonly recorded_at: string };
type Step = (deposit: DepositHandle) => Promise<unknown>;

const half = ({ quote }: DepositHandle): string => (quote.crypto_amount / 2).toFixed(8);
const seen: Step = (deposit) => deposit.pay();
const kyt =
  (status: string): Step =>
  (deposit) =>
    deposit.kyt(status);
const ofac =
  (status: string): Step =>
  (deposit) =>
    deposit.ofac(status);
const confirmed: Step = (deposit) => deposit.confirm();
const clear = [kyt('passed'), ofac('clear')];
const accepted: Step = (deposit) => deposit.accept();

/** Everything that the simulated engine can play, a signal at a time. */
const scenarios: Readonly<Record<string, readonly Step[]>> = {
  paid: [seen, ...clear, confirmed],
  underpaid: [(deposit) => deposit.pay({ amount: half(deposit) }), ...clear, confirmed],
  overpaid: [({ pay, quote }) => pay({ amount: (quote.crypto_amount * 1.25).toFixed(8) }), ...clear, confirmed],
  late: [(deposit) => deposit.expire(), (deposit) => deposit.pay({ minute: 31 }), ...clear, confirmed],
  two_payments: [
    (deposit) => deposit.pay({ amount: half(deposit) }),
    (deposit) => deposit.pay({ amount: half(deposit), txid: `${deposit.txid.slice(0, -4)}beef` }),
    ...clear,
    confirmed,
    (deposit) => deposit.confirm(`${deposit.txid.slice(0, -4)}beef`),
  ],
  replaced: [seen, ...clear, (deposit) => deposit.doubleSpend()],
  replaceable: [
    (deposit) => deposit.pay({ replaceable: true }),
    (deposit) => deposit.guards(false),
    ...clear,
    confirmed,
  ],
  sanctioned: [seen, kyt('passed'), ofac('hit'), confirmed],
  kyt_review: [seen, kyt('review'), ofac('clear'), confirmed],
  kyt_failed: [seen, kyt('failed'), ofac('clear'), confirmed],
  reorg: [seen, ...clear, confirmed, (deposit) => deposit.reorg(), (deposit) => deposit.confirm(deposit.txid, 20)],
  confirm: [seen, confirmed],
  settle: [
    seen,
    ...clear,
    confirmed,
    accepted,
    (deposit) => deposit.signal('settlement.included', 60, { batch_id: unique('batch') }),
  ],
  returned: [seen, ...clear, confirmed, (deposit) => deposit.return()],
  frozen: [seen, ...clear, (deposit) => deposit.freeze()],
};

export const timeTravel = (service: Service): void => {
  const then = (id: number, query: string) => service.operator('GET', `/operator/deposits/${id}${query}`);
  const historyOf = async (id: number, query = '') =>
    as<{ events: readonly Recorded[]; next_cursor: string | null; stream: string }>(
      done(await service.operator('GET', `/operator/deposits/${id}/events${query}`)),
    );
  const newDeposit = (casino: Casino, name: string) => casino.deposit(name === 'replaceable' ? { no_conf: true } : {});

  describe('a deposit as it was read before', () => {
    it.each(Object.entries(scenarios))(
      'is what its partner was answered at every revision: %s',
      async (name, steps) => {
        const casino = await newCasino(service);
        const deposit = await newDeposit(casino, name);
        const answered = new Map<number, Deposit>();
        const look = async (): Promise<void> => {
          const { events } = await historyOf(deposit.id);
          answered.set(events.length - 1, await deposit.read());
        };
        await look();
        for (const step of steps) {
          await step(deposit);
          await look();
        }
        const { events } = await historyOf(deposit.id);
        expect(answered.size).toBe(events.length - 1);
        for (const [revision, answer] of answered) {
          expect((await then(deposit.id, `?revision=${revision}`)).body).toEqual(answer);
          const [at, next] = [events[revision]?.recorded_at, events[revision + 1]?.recorded_at];
          if (at !== next) expect((await then(deposit.id, `?at=${at}`)).body).toEqual(answer);
        }
        expect((await then(deposit.id, '')).body).toEqual(answered.get(events.length - 1));
        expect((await then(deposit.id, '?revision=0')).body).toMatchObject({ wallet: null, status: 'Pending' });
      },
    );

    it('is not there before it was made, nor at a revision that it has not', async () => {
      const { id } = await (await newCasino(service)).deposit();
      const notFound = { status: 404, detail: 'Deposit not found' };
      expect(verdict(await then(id, '?at=2020-01-01T00:00:00Z'))).toEqual(notFound);
      expect(verdict(await then(999_999_999, ''))).toEqual(notFound);
      expect(verdict(await then(999_999_999, '?revision=0'))).toEqual(notFound);
      expect(await then(id, '?revision=2')).toMatchObject({ status: 404, body: { code: 'revision_not_found' } });
    });

    it.each(['?at=yesterday', '?revision=x', '?revision=0&at=2026-01-01T00:00:00Z'])(
      'is not asked for by %s',
      async (query) => {
        const { id } = await (await newCasino(service)).deposit();
        expect((await then(id, query)).status).toBe(400);
      },
    );
  });

  describe('the pages of a history', () => {
    it('hold every event once, with all that its hash is made of', async () => {
      const deposit = await (await (await newCasino(service)).deposit()).settle();
      const whole = await historyOf(deposit.id, '?raw=true');
      expect(whole).toMatchObject({ stream: `deposit-${deposit.id}`, next_cursor: null });
      for (const event of whole.events)
        expect(event).toMatchObject({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          schema_version: 1,
          recorded_at: expect.stringMatching(/Z$/),
          correlation: expect.stringMatching(/./),
          causation: null,
        });
      const paged: Recorded[] = [];
      for (let cursor: string | null = '0'; cursor !== null; ) {
        const part = await historyOf(deposit.id, `?raw=true&limit=2&cursor=${cursor}`);
        expect(part.events.length).toBeLessThanOrEqual(2);
        paged.push(...part.events);
        cursor = part.next_cursor;
      }
      expect(paged).toEqual(whole.events);
    });

    it('begin with the newest where those alone are asked for', async () => {
      const deposit = await (await (await newCasino(service)).deposit()).settle();
      const { events } = await historyOf(deposit.id);
      const newest = (query: string) => historyOf(deposit.id, `?newest=${query}`);
      expect(await newest('2')).toMatchObject({ events: events.slice(-2), next_cursor: null });
      expect(await newest('2&raw=true')).toMatchObject({ events: events.slice(-2) });
      expect((await newest('1000')).events).toEqual(events);
      expect((await then(deposit.id, '/events?newest=2&cursor=1')).status).toBe(400);
      expect((await then(999_999_999, '/events?newest=2')).status).toBe(404);
    });
  });
};
