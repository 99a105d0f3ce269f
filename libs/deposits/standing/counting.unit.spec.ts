import { describe, expect, it } from '@jest/globals';
import { decideSignal } from '../decide-signal.ts';
import type { DepositCommand } from '../floor/commands.ts';
import type { EngineSignal } from '../floor/signals.ts';
import type { Deposit } from '../floor/state.ts';
import { adjusted, confirmed, guards, issue, kyt, ofac, seen } from '../testing/commands.ts';
import { fold, history } from '../testing/given.ts';

const MANY = 300;

const paid: readonly DepositCommand[] = [
  issue({ noConf: true }),
  ...Array.from({ length: MANY }, (_, vout) => seen({ vout, amount: '0.01' })),
  guards(true),
];

/** How often a place of the list of what counts is looked at while the signal is decided. */
const looksFor = (signal: EngineSignal, past: readonly DepositCommand[]): number => {
  const deposit = fold(history(...past));
  if (deposit.stage === 'none') throw new Error('no quote was issued');
  let looks = 0;
  const counted = new Proxy(deposit.standing.counted, {
    get: (keys, name) => {
      looks += 1;
      return Reflect.get(keys, name);
    },
  });
  const watched: Deposit = { ...deposit, standing: { ...deposit.standing, counted } };
  expect(decideSignal(watched, signal).outcome).toBe('applied');
  return looks;
};

describe('the list of the payments that count', () => {
  it.each([
    ['another payment of a fast deposit', seen({ txid: 'tx-b' }), paid],
    ['a late payment beside it', seen({ txid: 'tx-b', at: '2026-03-01T12:31:00.000Z' }), paid],
    ['a confirmation after the decision', confirmed(), [...paid, ofac('clear'), kyt('passed'), adjusted()]],
  ])('is gone through a few times for %s, and not once for each of the payments', (_, signal, past) => {
    expect(looksFor(signal, past)).toBeLessThan(50 * MANY);
  });
});
