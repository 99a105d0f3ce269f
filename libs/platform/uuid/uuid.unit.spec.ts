import { describe, expect, it } from '@jest/globals';
import { uuidOf } from './index.ts';

describe('the id of what has a name', () => {
  it('never changes: receipts and webhooks that were sent are known by it', () => {
    expect(uuidOf('receipt sms event-1')).toBe('dfe654f9-9dae-8cfd-a2f3-041834f00349');
    expect(uuidOf('webhook event-1 ofac_complete', new Date('2026-03-01T12:00:00Z'))).toBe(
      '019ca945-0a00-8db9-b4a2-05d6903cd34c',
    );
  });

  it('begins with its time, where it has one', () => {
    const ids = [3, 1, 2].map((ms) => uuidOf(`event-${ms}`, new Date(ms)));
    expect(ids.toSorted()).toEqual([ids[1], ids[2], ids[0]]);
  });
});
