import { describe, expect, it } from '@jest/globals';
import { createSlots, type Slots } from './slots.ts';
import type { Kind, Manner } from './standings.ts';

const limits = { total: 20, perEndpoint: 4, ahead: 0, doubtfulShare: 0.5 };

const of = (endpoint: string, owner = 1) => ({ endpoint, owner });

/** How many a claim may take of it: ahead of those that are quick, one of a doubtful or a new one. */
const roomAt = (slots: Slots, { endpoint, owner }: ReturnType<typeof of>): number => {
  const { known, parts, partOfOthers } = slots.room();
  const part = (kind: Kind): number => (parts.get(owner) ?? partOfOthers)[kind];
  const one = known.get(endpoint);
  if (!one) return Math.min(1, part('fresh'));
  return one.once ? Math.min(1, part('doubtful')) : Math.min(one.ahead, part('quick'));
};

const begin = (slots: Slots, delivery: ReturnType<typeof of>) => {
  slots.take(delivery);
  return slots.start(delivery);
};

const answer = (slots: Slots, delivery: ReturnType<typeof of>, manner: Manner): void =>
  begin(slots, delivery).free(manner);

/** Starts as many of it as may start now. */
const fill = (slots: Slots, delivery: ReturnType<typeof of>) => {
  const started = [];
  while (slots.mayStart(delivery)) started.push(begin(slots, delivery));
  return started;
};

describe('an endpoint', () => {
  it('that has not answered yet gets one attempt at a time', () => {
    const slots = createSlots(limits);
    expect(roomAt(slots, of('a'))).toBe(1);
    begin(slots, of('a'));
    expect(roomAt(slots, of('a'))).toBe(0);
    expect(slots.mayStart(of('a'))).toBe(false);
  });

  it('gets its full number once it answered quickly, and one again after a failure', () => {
    const slots = createSlots(limits);
    answer(slots, of('a'), 'quick');
    expect(roomAt(slots, of('a'))).toBe(4);
    const [first, second] = [begin(slots, of('a')), begin(slots, of('a'))];
    expect(roomAt(slots, of('a'))).toBe(2);
    first.free('failed');
    expect(roomAt(slots, of('a'))).toBe(0);
    second.free('quick');
    expect(roomAt(slots, of('a'))).toBe(4);
  });

  it('that is slow gets its full number one by one', () => {
    const slots = createSlots(limits);
    answer(slots, of('a'), 'slow');
    for (const _ of [1, 2, 3, 4]) {
      expect(roomAt(slots, of('a'))).toBe(1);
      begin(slots, of('a'));
    }
    expect(roomAt(slots, of('a'))).toBe(0);
  });

  it('that begins to hang is doubtful at once, until it has answered what hangs', () => {
    const slots = createSlots(limits);
    answer(slots, of('a'), 'quick');
    const started = begin(slots, of('a'));
    expect(slots.isQuick('a')).toBe(true);
    started.hang();
    expect(slots.isQuick('a')).toBe(false);
    expect(roomAt(slots, of('a'))).toBe(1);
    started.free('quick');
    expect(roomAt(slots, of('a'))).toBe(4);
  });
});

describe('the endpoints of an affiliate', () => {
  it('have as many places as they leave free, and so have those of the next', () => {
    const slots = createSlots(limits);
    const many = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const owner of [1, 2]) for (const endpoint of many) answer(slots, of(endpoint + owner, owner), 'quick');
    const startedBy = (owner: number): number =>
      many.reduce((sum, endpoint) => sum + fill(slots, of(endpoint + owner, owner)).length, 0);
    expect([startedBy(1), startedBy(2)]).toEqual([10, 5]);
    expect(slots.isTight()).toBe(true);
  });

  it('have a few, however many affiliates there are', () => {
    const slots = createSlots(limits);
    for (let owner = 1; owner <= 30; owner++) {
      for (const endpoint of ['a', 'b', 'c']) answer(slots, of(endpoint + owner, owner), 'quick');
      expect(['a', 'b', 'c'].flatMap((one) => fill(slots, of(one + owner, owner))).length).toBeGreaterThanOrEqual(4);
    }
  });

  it('keep their places from no other when they hang, and from none of theirs that is quick', () => {
    const slots = createSlots(limits);
    for (const endpoint of ['a', 'b', 'c', 'good']) answer(slots, of(endpoint), 'quick');
    answer(slots, of('other', 2), 'quick');
    for (const endpoint of ['a', 'b', 'c']) for (const started of fill(slots, of(endpoint))) started.hang();
    expect(fill(slots, of('a'))).toEqual([]);
    // One at a time, since so much of what looked as good as it hangs.
    expect(fill(slots, of('good'))).toHaveLength(1);
    expect(fill(slots, of('other', 2))).toHaveLength(4);
    expect(fill(slots, of('new', 2))).toHaveLength(1);
    expect(fill(slots, of('new of the same'))).toHaveLength(1);
  });

  it('that are doubtful hold a part together, and leave the rest to those of others', () => {
    const slots = createSlots(limits);
    const hanging = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const endpoint of hanging) answer(slots, of(endpoint), 'failed');
    expect(slots.room().parts.get(1)).toMatchObject({ doubtful: 5, fresh: 5 });
    expect(hanging.flatMap((endpoint) => fill(slots, of(endpoint)))).toHaveLength(5);
    expect(slots.room().parts.get(1)).toMatchObject({ doubtful: 0, fresh: 5 });
    expect(slots.room().partOfOthers.doubtful).toBe(4);
    expect(roomAt(slots, of('new'))).toBe(1);
  });

  it('that nobody knows hold a part together, for as long as a quick answer takes', () => {
    const slots = createSlots(limits);
    const places = () => ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((one) => fill(slots, of(one)));
    const first = places();
    expect(first).toHaveLength(5);
    expect(roomAt(slots, of('other', 2))).toBe(1);
    for (const started of first) started.hang();
    expect(places()).toHaveLength(3);
  });
});

describe('what is claimed ahead', () => {
  const aheadOf = (total: number) => createSlots({ ...limits, total, ahead: 2 });

  it('is for endpoints that answer quickly alone, and starts as slots come free', () => {
    const slots = aheadOf(20);
    answer(slots, of('a'), 'quick');
    answer(slots, of('b'), 'slow');
    expect([roomAt(slots, of('a')), roomAt(slots, of('b')), roomAt(slots, of('new'))]).toEqual([12, 1, 1]);
    for (let n = 0; n < 12; n++) slots.take(of('a'));
    expect(roomAt(slots, of('a'))).toBe(0);
    const started = [1, 2, 3, 4].map(() => slots.start(of('a')));
    expect(slots.mayStart(of('a'))).toBe(false);
    started[0]?.free('quick');
    expect(slots.mayStart(of('a'))).toBe(true);
    expect(roomAt(slots, of('a'))).toBe(1);
  });

  it('takes nothing from an endpoint that is new, nor from another affiliate', () => {
    const slots = aheadOf(8);
    for (const endpoint of ['a', 'b', 'c']) {
      answer(slots, of(endpoint), 'quick');
      while (roomAt(slots, of(endpoint)) > 0) slots.take(of(endpoint));
    }
    expect(slots.room()).toMatchObject({ room: 12, partOfOthers: { quick: 6 } });
    expect([roomAt(slots, of('new')), roomAt(slots, of('other', 2))]).toEqual([1, 1]);
  });

  it("is less for each the more of its affiliate's endpoints have something here", () => {
    const slots = aheadOf(20);
    for (const endpoint of ['a', 'b', 'c', 'd', 'e']) {
      answer(slots, of(endpoint), 'quick');
      slots.take(of(endpoint));
    }
    expect(roomAt(slots, of('a'))).toBe(5);
  });
});
