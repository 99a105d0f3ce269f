import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { positionOf } from '../position.ts';
import { createInbox } from './inbox.ts';

const at = (n: number) => ({ position: positionOf(BigInt(n), 0n) });

describe('An inbox between a subscription and its reader', () => {
  it('hands out what came before it failed, then the failure', async () => {
    const inbox = createInbox();
    const { signal } = new AbortController();
    inbox.put(at(1));
    inbox.fail(new Error('the line is cut'));
    expect(await inbox.take(10, signal)).toEqual({ events: [], ...at(1) });
    await expect(inbox.take(10, signal)).rejects.toThrow('the line is cut');
  });

  it('lets nobody wait after the signal', async () => {
    const stopping = new AbortController();
    const taking = createInbox().take(10, stopping.signal);
    stopping.abort();
    expect(await taking).toBeUndefined();
  });

  it('leaves nothing behind on a signal that outlives many waits', async () => {
    const inbox = createInbox();
    const { signal } = new AbortController();
    for (let n = 0; n < 50; n++) {
      const taking = inbox.take(10, signal);
      inbox.put(at(n));
      expect(await taking).toEqual({ events: [], ...at(n) });
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
