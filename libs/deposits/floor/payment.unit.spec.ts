import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalText } from '#money';
import { findPayment, type Payment, putPayment } from './payment.ts';

const payment = (nth: number, state: Payment['state']): Payment => ({
  ...{ txid: `tx-${nth % 7}`, vout: Math.floor(nth / 7), amount: decimalText('1'), replaceable: false },
  ...{ firstSeenAt: '2026-03-01T12:00:00.000Z', state, reorged: false },
});

const put = (payments: readonly Payment[], one: Payment): readonly Payment[] =>
  payments.some(({ txid, vout }) => txid === one.txid && vout === one.vout)
    ? payments.map((each) => (each.txid === one.txid && each.vout === one.vout ? one : each))
    : [...payments, one];

const steps = fc.array(
  fc.record({
    onto: fc.nat(3),
    nth: fc.nat(150),
    state: fc.constantFrom<Payment['state']>('unconfirmed', 'confirmed', 'dropped', 'double_spent'),
  }),
  { minLength: 60, maxLength: 250 },
);

it('a payment is found where it was put, in every list, whatever became of the list before it', () => {
  fc.assert(
    fc.property(steps, (all) => {
      let last: { readonly quick: readonly Payment[]; readonly plain: readonly Payment[] }[] = [
        { quick: [], plain: [] },
      ];
      for (const { onto, nth, state } of all) {
        const { quick, plain } = last[onto] ?? last[0] ?? { quick: [], plain: [] };
        const one = payment(nth, state);
        last = [{ quick: putPayment(quick, one), plain: put(plain, one) }, ...last].slice(0, 4);
        for (const each of last) {
          expect(each.quick).toEqual(each.plain);
          for (const asked of [nth, nth + 1, 0])
            expect(findPayment(each.quick, payment(asked, state))).toBe(
              each.quick.find(({ txid, vout }) => txid === `tx-${asked % 7}` && vout === Math.floor(asked / 7)),
            );
        }
      }
    }),
    { numRuns: 15 },
  );
});
