import { describe, expect, it } from '@jest/globals';
import type { DepositCommand } from '../floor/commands.ts';
import type { QuoteIssued } from '../floor/events.ts';
import { initialState } from '../floor/state.ts';
import { confirmed, doubleSpent, dropped, expired, issue, minute, seen } from '../testing/commands.ts';
import { fold, history } from '../testing/given.ts';
import { matches } from '../testing/matches.ts';
import { decideEnter, emptyLane, evolveLane, type FastLaneEvent, type LaneDeposit } from './index.ts';

const first = issue({ noConf: true });
const openingOf = (depositId: number): QuoteIssued => history(issue({ noConf: true, depositId }))[0] as QuoteIssued;
const laneAfter = (events: readonly FastLaneEvent[]) => events.reduce(evolveLane, emptyLane);
const entered: FastLaneEvent = {
  type: 'FastLaneEntered',
  data: { at: minute(0), depositId: 7, opening: openingOf(7) },
};

const depositAfter = (depositId: number, ...past: readonly DepositCommand[]): LaneDeposit => {
  const events = history(...past);
  return { depositId, state: fold(events), revision: events.length - 1 };
};
const absent: LaneDeposit = { depositId: 7, state: initialState, revision: 'no_stream' };

const enter = (lane: readonly FastLaneEvent[], deposits: readonly LaneDeposit[], now = minute(5)) =>
  decideEnter(laneAfter(lane), { now, opening: openingOf(8), deposits });

const enterBeside = (...past: readonly DepositCommand[]) => enter([entered], [depositAfter(7, ...past)]);

describe('the fast lane of a player at a casino', () => {
  it('lets the first fast deposit in', () => {
    const outcome = decideEnter(emptyLane, { now: minute(0), opening: openingOf(7), deposits: [] });
    expect(
      matches(outcome, { outcome: 'applied', events: [{ type: 'FastLaneEntered', data: { depositId: 7 } }] }),
    ).toBe(true);
  });

  it('lets the same deposit in again without another entry', () => {
    const again = decideEnter(laneAfter([entered]), { now: minute(1), opening: openingOf(7), deposits: [absent] });
    expect(again).toEqual({ outcome: 'applied', events: [] });
  });

  it.each([
    ['an open unpaid quote', [first], { blockingStatus: 'Pending', paid: false, kind: 'no-conf' }],
    [
      'a paid deposit without confirmation',
      [first, seen({ amount: '1' })],
      { blockingStatus: 'Underpaid', paid: true },
    ],
    ['a quote whose payment was dropped', [first, seen(), dropped()], { blockingStatus: 'Pending', paid: false }],
    ['an instant one', [issue({ instant: true })], { kind: 'instant' }],
    ['a late one that was paid', [first, expired(), seen({ at: minute(31) })], { blockingStatus: 'Succeed' }],
  ])('fast_deposit_unconfirmed: %s', (_, past, fields) => {
    const refusal = { refusal: 'fast_deposit_unconfirmed', blockingDepositId: 7, ...fields };
    expect(enterBeside(...past)).toMatchObject({ outcome: 'refused', refusal });
  });

  it.each([
    ['confirmed', [first, seen(), confirmed()]],
    ['expired', [first, expired()]],
    ['expired', [first, seen(), doubleSpent({ at: minute(31) })]],
  ])('is released by a deposit that is %s', (because, past) => {
    const outcome = enterBeside(...past);
    expect(outcome).toMatchObject({
      outcome: 'applied',
      events: [
        { type: 'FastLaneReleased', data: { because } },
        { type: 'FastLaneEntered', data: { depositId: 8 } },
      ],
    });
    if (outcome.outcome === 'applied') expect(laneAfter([entered, ...outcome.events]).occupant?.depositId).toBe(8);
  });

  it('"expired" is expires_at in the past: whatever the status still says, its stream is told first', () => {
    const at = (now: string) => enter([entered], [depositAfter(7, first)], now);
    expect(at(minute(30)).outcome).toBe('refused');
    expect(at(minute(31))).toEqual({ outcome: 'expire_first', depositId: 7, expiresAt: minute(30) });
  });

  it('an entry whose deposit never came to be is completed, and released once it is expired', () => {
    const at = (now: string) => enter([entered], [absent], now);
    const lost = at(minute(5));
    expect(lost).toMatchObject({ outcome: 'complete_first', occupant: { depositId: 7 } });
    if (lost.outcome === 'complete_first') expect(fold([lost.occupant.opening])).toEqual(fold([openingOf(7)]));
    expect(at(minute(31))).toMatchObject({ events: [{ data: { because: 'never_came_to_be' } }, {}] });
  });

  it('is empty after a release of the deposit in it, and of no other', () => {
    const released = (depositId: number): FastLaneEvent => ({
      type: 'FastLaneReleased',
      data: { at: minute(5), depositId, because: 'confirmed' },
    });
    expect(laneAfter([entered, released(7)]).occupant).toBeNull();
    expect(laneAfter([entered, released(6)]).occupant?.depositId).toBe(7);
  });

  it('refuses to judge by another deposit than the one that stands in the lane', () => {
    expect(() => enter([entered], [depositAfter(99, issue({ depositId: 99, noConf: true }))])).toThrow('deposit 7');
  });
});
