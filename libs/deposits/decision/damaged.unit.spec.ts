import { describe, expect, it } from '@jest/globals';
import { decide } from '../decide.ts';
import type { DepositCommand } from '../floor/commands.ts';
import type { Deposit } from '../floor/state.ts';
import { accept, adjusted, confirmed, freeze, giveBack, issue, kyt, money, ofac, seen } from '../testing/commands.ts';
import { given } from '../testing/given.ts';

const sound = given(issue(), seen({ amount: '3' }), confirmed(), ofac('clear'))
  .when(kyt('passed'))
  .after();

const damaged = (standing: Partial<Deposit['standing']>, rest: Partial<Deposit> = {}): Deposit => ({
  ...sound,
  ...rest,
  standing: { ...sound.standing, ...standing },
});

const refusalOf = (deposit: Deposit, command: DepositCommand): unknown => {
  const outcome = decide(deposit, command);
  return outcome.outcome === 'refused' ? outcome.refusal : outcome;
};

describe('what damaged data alone can cause is guarded all the same', () => {
  it.each([accept(), giveBack()])('ofac_sanctioned before the freeze: $type', (command) => {
    expect(refusalOf(damaged({ ofacStatus: 'hit' }), command)).toEqual({ refusal: 'ofac_sanctioned' });
  });

  it.each([accept(), giveBack(), freeze()])('KYT screening has not completed: $type', (command) => {
    expect(refusalOf(damaged({ kytStatus: null }), command)).toEqual({ refusal: 'kyt_not_completed' });
  });

  it('a confirmed deposit that received nothing', () => {
    const nothing = damaged({ confirmedCrypto: null });
    expect(refusalOf(nothing, giveBack())).toEqual({ refusal: 'nothing_received', confirmedCrypto: '0' });
    expect(refusalOf(nothing, adjusted())).toMatchObject({ refusal: 'amount_mismatch', received: '0' });
    expect(refusalOf(damaged({ confirmedCrypto: money('0') }), giveBack())).toMatchObject({
      refusal: 'nothing_received',
    });
  });

  it('a pending deposit with a return under way', () => {
    const { refund } = given(issue(), seen(), confirmed(), ofac('clear'), kyt('passed')).when(giveBack()).after();
    expect(refusalOf(damaged({}, { refund }), giveBack())).toEqual({ refusal: 'return_in_progress' });
  });

  it('a charge ledger or a market rate that cannot be re-priced with', () => {
    const charge = { beneficiary: 'BF', kind: 'SPREAD', paidBy: 'ENTITY', percent: money('0.1') } as const;
    const charges = [{ ...charge, amountUsd: money('1'), amountCrypto: money('1') }];
    const ledger = damaged({}, { amounts: { ...sound.amounts, charges } });
    expect(refusalOf(ledger, adjusted())).toEqual({ refusal: 'charge_ledger_invalid' });
    const rateless = damaged({}, { amounts: { ...sound.amounts, marketRate: money('0') } });
    expect(refusalOf(rateless, adjusted())).toEqual({ refusal: 'no_market_rate' });
  });
});
