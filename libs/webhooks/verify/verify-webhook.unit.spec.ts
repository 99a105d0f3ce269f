import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from './index.ts';

const body = '{"event":"deposit.accepted","gambler_ref":"Zoë"}';
const sign = (secret: string, text = body): string => createHmac('sha256', secret).update(text, 'utf8').digest('hex');
const headers = { 'X-Webhook-Signature': sign('new'), 'X-Webhook-Signature-Previous': sign('old') };

describe('a webhook is genuine', () => {
  it.each<[string, string | readonly string[]]>([
    ['to who has the secret', 'new'],
    ['to who has the one before, while its overlap lasts', 'old'],
    ['to who has both', ['new', 'old']],
  ])('%s', (_, secrets) => expect(verifyWebhook(body, headers, secrets)).toBe(true));

  it('in bytes as in text, and with headers as Fetch and Node give them', () => {
    expect(verifyWebhook(Buffer.from(body), headers, 'new')).toBe(true);
    expect(verifyWebhook(body, new Headers(headers), 'new')).toBe(true);
    expect(verifyWebhook(body, { 'x-webhook-signature': [sign('new')] }, 'new')).toBe(true);
  });
});

describe('a webhook is not genuine', () => {
  it.each<[string, string, Record<string, string>, string | readonly string[]]>([
    ['when its body was changed', `${body} `, headers, 'new'],
    ['when nobody signed it', body, {}, 'new'],
    ['when its signature is empty', body, { 'x-webhook-signature': '' }, 'new'],
    ['when its signature is cut short', body, { 'x-webhook-signature': sign('new').slice(0, 10) }, 'new'],
    ['when another signed it', body, { 'x-webhook-signature': sign('other') }, ['new', 'old']],
    ['when the receiver has no secret', body, { 'x-webhook-signature': sign('') }, ''],
    ['when the receiver has no secrets', body, headers, []],
  ])('%s', (_, text, those, secrets) => expect(verifyWebhook(text, those, secrets)).toBe(false));
});

describe('a tolerance', () => {
  const now = () => new Date('2026-03-01T12:00:00Z');
  const sentAt = (seconds: number) => ({
    ...headers,
    'x-webhook-timestamp': String(now().getTime() / 1_000 + seconds),
  });

  it.each([
    [-300, true],
    [300, true],
    [-301, false],
    [301, false],
  ])('of 300 seconds, sent %d seconds off: %s', (seconds, genuine) => {
    expect(verifyWebhook(body, sentAt(seconds), 'new', { toleranceSeconds: 300, now })).toBe(genuine);
  });

  it('refuses what does not say when it was sent', () => {
    expect(verifyWebhook(body, headers, 'new', { toleranceSeconds: 300, now })).toBe(false);
    expect(
      verifyWebhook(body, { ...headers, 'x-webhook-timestamp': 'soon' }, 'new', { toleranceSeconds: 300, now }),
    ).toBe(false);
  });
});
