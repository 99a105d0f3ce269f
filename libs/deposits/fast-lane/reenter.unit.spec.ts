import { describe, expect, it } from '@jest/globals';
import type { DepositCommand } from '../floor/commands.ts';
import type { QuoteIssued } from '../floor/events.ts';
import type { Deposit } from '../floor/state.ts';
import { confirmed, dropped, expired, issue, minute, reorged, seen } from '../testing/commands.ts';
import { fold, history } from '../testing/given.ts';
import { comesBack, decideEnter, decideReenter, emptyLane, evolveLane, type FastLaneEvent } from './index.ts';

const quote = (depositId: number) => issue({ noConf: true, depositId });
const openingOf = (depositId: number): QuoteIssued => history(quote(depositId))[0] as QuoteIssued;
const entered = (depositId: number): FastLaneEvent => ({
  type: 'FastLaneEntered',
  data: { at: minute(0), depositId, opening: openingOf(depositId) },
});
const reentered = (depositId: number, depositRevision: number, behind: number | null = null): FastLaneEvent => ({
  type: 'FastLaneReentered',
  data: { at: minute(31), depositId, depositRevision, behind },
});
const laneAfter = (...events: readonly FastLaneEvent[]) => events.reduce(evolveLane, emptyLane);

const stream = (depositId: number, ...past: readonly DepositCommand[]) => {
  const events = history(quote(depositId), ...past);
  return { depositId, state: fold(events), revision: events.length - 1 };
};

const now = minute(40);
const late = { at: minute(31) };
const reenter = (lane: ReturnType<typeof laneAfter>, deposits: readonly ReturnType<typeof stream>[]) =>
  decideReenter(lane, { at: minute(31), now, depositId: 7, depositRevision: 1, deposits });
const enter = (lane: ReturnType<typeof laneAfter>, ...deposits: readonly ReturnType<typeof stream>[]) =>
  decideEnter(lane, { now, opening: openingOf(9), deposits });

describe('a payment has a fast deposit come back into the lane', () => {
  const back = (past: readonly DepositCommand[], next: DepositCommand, at = minute(5)): boolean => {
    const before = history(issue({ noConf: true }), ...past);
    const [event] = history(issue({ noConf: true }), ...past, next).slice(before.length);
    return event !== undefined && comesBack(fold(before) as Deposit, event, at);
  };

  it.each<[boolean, string, readonly DepositCommand[], DepositCommand]>([
    [false, 'the first payment of an unexpired quote', [], seen()],
    [false, 'a second payment', [seen()], seen({ txid: 'tx-b' })],
    [false, 'a confirmation', [seen()], confirmed()],
    [true, 'a late payment after it timed out', [expired()], seen(late)],
    [true, 'a timely payment told after it timed out', [expired()], seen()],
    [true, 'a payment that was dropped and is seen again', [seen(), dropped()], seen()],
    [true, 'a reorg', [seen(), confirmed()], reorged()],
  ])('%s: %s', (isBack, _, past, next) => {
    expect(back(past, next)).toBe(isBack);
  });

  it('also when nobody has said yet that its time is up', () => {
    expect(back([], seen(), minute(31))).toBe(true);
  });

  it('and never does a standard one', () => {
    const before = history(issue(), expired());
    const [event] = history(issue(), expired(), seen(late)).slice(2);
    expect(event && comesBack(fold(before) as Deposit, event, now)).toBe(false);
  });
});

describe('whoever comes back into the lane', () => {
  it('has it where nobody else is in flight, and those who are not are let go', () => {
    const lane = laneAfter(entered(8));
    const { behind, events } = reenter(lane, [stream(8, expired())]);
    expect(behind).toBeNull();
    expect(events).toMatchObject([
      { type: 'FastLaneReleased', data: { depositId: 8, because: 'expired' } },
      { type: 'FastLaneReentered', data: { depositId: 7, depositRevision: 1, behind: null } },
    ]);
  });

  it('has it again where it stands in it itself', () => {
    expect(reenter(laneAfter(entered(7)), [stream(7, expired())]).behind).toBeNull();
  });

  it.each([
    ['an open quote', laneAfter(entered(8)), stream(8)],
    ['a payment without confirmation', laneAfter(entered(8)), stream(8, seen())],
    ['a late one', laneAfter(entered(7), reentered(8, 1)), stream(8, expired(), seen(late))],
    ['one that is coming back in this moment', laneAfter(entered(7), reentered(8, 1)), stream(8, expired())],
  ])('is behind %s', (_, lane, other) => {
    const { behind, events } = reenter(lane, [stream(7, expired()), other]);
    expect(behind).toBe(8);
    expect(events).toMatchObject([{ type: 'FastLaneReentered', data: { depositId: 7, behind: 8 } }]);
  });

  it('finds what it said when it was cut off after that', () => {
    const lane = laneAfter(entered(8), reentered(7, 1, 8));
    expect(reenter(lane, [stream(8, seen(), confirmed()), stream(7, expired())])).toEqual({ behind: 8, events: [] });
  });

  it('lets nobody in until it is confirmed', () => {
    const lane = laneAfter(entered(8), reentered(7, 1));
    const open = stream(8, expired());
    const refusal = {
      refusal: 'fast_deposit_unconfirmed',
      blockingDepositId: 7,
      blockingStatus: 'Succeed',
      paid: true,
    };
    expect(enter(lane, open, stream(7, expired(), seen(late)))).toEqual({
      outcome: 'refused',
      refusal: { ...refusal, kind: 'no-conf' },
    });
    expect(enter(lane, open, stream(7, expired(), seen(late), confirmed()))).toMatchObject({
      events: [
        { type: 'FastLaneReleased', data: { depositId: 8, because: 'expired' } },
        { type: 'FastLaneReleased', data: { depositId: 7, because: 'confirmed' } },
        { type: 'FastLaneEntered', data: { depositId: 9 } },
      ],
    });
  });

  it('is waited for while its payment may be about to be written, and no longer when its stream has gone on', () => {
    const lane = laneAfter(entered(8), reentered(7, 1));
    const open = stream(8, expired());
    expect(enter(lane, open, stream(7, expired()))).toEqual({ outcome: 'wait' });
    expect(enter(lane, open, { ...stream(7, expired()), revision: 2 }).outcome).toBe('applied');
  });
});
