import { describe, expect, it } from '@jest/globals';
import type { DepositEvent } from '../floor/events.ts';
import { doubleSpent, issue, seen } from '../testing/commands.ts';
import { fold, given, history } from '../testing/given.ts';

const ofPayment = (event: DepositEvent, txid: string): DepositEvent =>
  JSON.parse(JSON.stringify(event).replaceAll('"txid":"tx-a"', `"txid":"${txid}"`).replaceAll('tx-a:', `${txid}:`));

/** So many payments that came and were double-spent. */
const cameAndWent = (name: string, count: number, amount = '2'): readonly DepositEvent[] => {
  const [, ...both] = history(issue(), seen({ amount }), doubleSpent());
  return both.flatMap((event) => Array.from({ length: count }, (_, nth) => ofPayment(event, `${name}-${nth}`)));
};

describe('a deposit of which thousands of payments came and went', () => {
  it('is folded in a moment', () => {
    const past = [...history(issue()), ...cameAndWent('tx', 3_000)];
    const start = process.cpuUsage();
    const deposit = fold(past);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(4_000);
    expect(deposit).toMatchObject({ revision: 6_000, standing: { counted: [] } });
  });

  it('ignores dust beyond 2,000 of them, what is below a tenth of the quote beyond 2,500, and all beyond 3,000', () => {
    const to = (count: number) => given(issue(), ...cameAndWent('tx', count, '0.001'));
    to(1_999)
      .when(seen({ amount: '0.00000001' }))
      .thenShows({ confirmed_crypto: 1e-8 });
    to(2_000)
      .when(seen({ amount: '0.00199999' }))
      .thenIgnored();
    to(2_499)
      .when(seen({ amount: '0.002' }))
      .thenShows({ confirmed_crypto: 0.002 });
    to(2_500)
      .when(seen({ amount: '0.19999999' }))
      .thenIgnored();
    to(2_999)
      .when(seen({ amount: '0.2' }))
      .thenShows({ confirmed_crypto: 0.2 });
    to(3_000).when(seen()).thenIgnored();
  });

  it('has operators told of what finds no place, and of nothing else that is ignored', () => {
    const full = given(issue(), ...cameAndWent('tx', 3_000, '0.001'));
    const told = {
      reason: expect.stringMatching(/^the deposit has 3000 payments: /),
      alerts: ['payment_without_place'],
    };
    expect(full.when(seen()).outcome).toMatchObject({ outcome: 'ignored', setAside: { data: told } });
    const { outcome } = given(issue(), seen()).when(seen());
    expect(JSON.stringify(outcome)).not.toContain('alerts');
  });

  it('goes on taking what it knows, also where it is full', () => {
    const full = given(issue(), ...cameAndWent('tx', 3_000, '0.001'));
    full.when(seen({ txid: 'tx-2999', amount: '0.001' })).thenShows({ confirmed_crypto: 0.001 });
  });
});
