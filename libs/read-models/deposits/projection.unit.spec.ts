import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { depositStream } from '#deposit-commands';
import { type Deposit, type DepositCommand, depositView } from '#deposits';
import { accept, confirmed, history, issue, kyt, money, ofac, seen, settled } from '#deposits/testing';
import type { JsonObject } from '#event-log';
import { recordedEvents, type Tables, tablesAfter } from '../testing/index.ts';
import { depositsProjection } from './projection.ts';
import type { DepositRow, TotalRow } from './rows/row.ts';
import { viewOfRow } from './rows/view-of-row.ts';
import { interleaved, type Life, lives, type Written } from './testing/lives.ts';

const project = (written: readonly Written[]) => {
  const events = recordedEvents(written);
  return { events, tables: tablesAfter(events.flatMap((event) => depositsProjection.project(event))) };
};

/** Rows of the tables are JSON, as the events brought it. */
const depositsIn = (tables: Tables) => (tables.deposits ?? []) as unknown as readonly DepositRow[];
const totalsIn = (tables: Tables) => (tables.deposit_totals ?? []) as unknown as readonly TotalRow[];

const issued = ({ state }: Life): Deposit => {
  if (state.stage === 'none') throw new Error('no quote was issued');
  return state;
};

const afterAnyLives = (mustHold: (all: readonly Life[], written: readonly Written[]) => void): void =>
  fc.assert(
    fc.property(lives(6), (all) => mustHold(all, interleaved(all))),
    { numRuns: 150 },
  );

const writtenOf = (...steps: readonly DepositCommand[]): readonly Written[] =>
  history(...steps).map(({ type, data }) => ({
    stream: depositStream(7),
    type,
    data: JSON.parse(JSON.stringify(data)) as JsonObject,
  }));

describe('the rows of deposits, whatever happened to them', () => {
  it('show the very object that folding the history shows, in the same order of keys', () => {
    afterAnyLives((all, written) => {
      const { events, tables } = project(written);
      const rows = depositsIn(tables);
      expect(rows).toHaveLength(all.length);
      for (const life of all) {
        const last = events.findLast(({ stream }) => stream === depositStream(life.id));
        const row = rows.find(({ id }) => id === life.id);
        const expected = depositView(issued(life), last?.recordedAt.toISOString() ?? null);
        expect(JSON.stringify(row && viewOfRow(row))).toBe(JSON.stringify(expected));
        expect(row?.revision).toBe(last?.revision);
      }
    });
  });

  it('are counted in the kept totals, by casino, decision and currency', () => {
    afterAnyLives((all, written) => {
      const counts = new Map<string, number>();
      for (const { terms, standing } of all.map(issued)) {
        const kind = `${terms.entityId} ${standing.decision} ${terms.currency}`;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      const kept = totalsIn(project(written).tables)
        .map(({ entity_id, decision, currency, deposits }) => ({
          kind: `${entity_id} ${decision} ${currency}`,
          deposits: Number(deposits),
        }))
        .filter(({ deposits }) => deposits !== 0);
      expect(new Map(kept.map(({ kind, deposits }) => [kind, deposits]))).toEqual(counts);
    });
  });

  it('name the affiliate, and whether they are test data', () => {
    const [row] = depositsIn(project(writtenOf(issue({ affiliateId: 12, test: true }))).tables);
    expect(row).toMatchObject({ affiliate_id: 12, test: true });
  });

  it('remember that a deposit was confirmed once, and the batch that settled it', () => {
    const past = [issue(), seen(), kyt('passed'), ofac('clear')] as const;
    expect(depositsIn(project(writtenOf(...past)).tables)[0]?.confirmed_ever).toBe(false);
    const [row] = depositsIn(project(writtenOf(...past, confirmed(), accept(), settled('batch-1'))).tables);
    expect(row).toMatchObject({ confirmed_ever: true, settlement_batch_id: 'batch-1', decision: 'accepted' });
  });

  it('remember when money came last that the decision left nothing to do with', () => {
    const past = [issue(), seen(), kyt('passed'), ofac('clear'), confirmed(), accept()] as const;
    const [none] = project(writtenOf(...past)).tables.deposits ?? [];
    expect(none?.paid_after_decision_at).toBeUndefined();
    const { events, tables } = project(writtenOf(...past, seen({ txid: 'later' }), settled('batch-1')));
    const told = events.find(({ data }) => JSON.stringify(data).includes('payment_after_decision'));
    expect(tables.deposits).toMatchObject([{ paid_after_decision_at: told?.recordedAt.toISOString() }]);
    expect(told?.type).toBe('PaymentSeen');
  });

  it('keep what accepted deposits bring the casino', () => {
    const past = [issue({ amount: money('100.5') }), seen({ amount: '2.01' }), kyt('passed'), ofac('clear')] as const;
    const kept = totalsIn(project(writtenOf(...past, confirmed(), accept())).tables);
    expect(kept.find(({ decision }) => decision === 'accepted')).toMatchObject({ entity_net_usd: '100.5' });
  });
});

describe('the projection of deposits', () => {
  it('takes events of other streams as seen, and nothing more', () => {
    const quote = writtenOf(issue()).map((event) => ({ ...event, stream: 'fastlane-3-abc' }));
    expect(project(quote).tables).toEqual({});
    expect(depositsProjection.filter).toBeUndefined();
  });
});
