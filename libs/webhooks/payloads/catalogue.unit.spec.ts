import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { webhookEvents } from './events.ts';
import { samplePayload } from './sample.ts';

const page = readFileSync(new URL('../../../docs/reference/webhooks.md', import.meta.url), 'utf8');

const codesIn = (text = ''): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, code]) => code ?? '');

/** | `event` | when | keys | */
const rows = [...page.matchAll(/^\| `([\w.]+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(([, event, keys]) => ({
  event,
  keys: codesIn(keys),
}));

const [casino, transaction] = [...page.matchAll(/^Keys of each: (.+)$/gm)].map(([, keys]) => codesIn(keys));

/** A late deposit alone has it, and the sample is none. */
const beyondSamples = new Set(['late_payment']);

describe('the catalogue of webhooks', () => {
  it('has every event once, in the order of the interface', () => {
    expect(rows.map(({ event }) => event)).toEqual([...webhookEvents]);
  });

  it.each(webhookEvents)('names the keys of %s', (event) => {
    const common = event.startsWith('transaction.') ? transaction : casino;
    const { keys = [] } = rows.find((row) => row.event === event) ?? {};
    const { test: _, ...payload } = samplePayload(event, { id: 3, externalCode: null }, '2026-03-01T12:00:00.000Z');
    const listed = [...(common ?? []), ...keys].filter((key) => !beyondSamples.has(key));
    expect(listed.toSorted()).toEqual(Object.keys(payload).toSorted());
  });
});
