import { describe, expect, it } from '@jest/globals';
import { createSecrets, SealBroken } from './index.ts';

const { seal, open } = createSecrets('root');

describe('a sealed secret', () => {
  it.each(['', 'hunter2', 'ключ 🔑', 'x'.repeat(10_000)])('opens to what it was', (text) => {
    expect(open('webhook', seal('webhook', text))).toBe(text);
  });

  it('shows nothing of its text and never looks the same twice', () => {
    const [one, other] = [seal('webhook', 'hunter2'), seal('webhook', 'hunter2')];
    expect(one.includes('hunter2')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('does not open when any byte was changed, cut off or added', () => {
    const sealed = seal('webhook', 'hunter2');
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => open('webhook', changed)).toThrow(SealBroken);
      expect(() => open('webhook', sealed.subarray(0, at))).toThrow(SealBroken);
    }
    expect(() => open('webhook', Buffer.concat([sealed, Buffer.of(0)]))).toThrow(SealBroken);
  });

  it('does not open for another purpose or under another key', () => {
    const sealed = seal('webhook', 'hunter2');
    expect(() => open('provider', sealed)).toThrow(SealBroken);
    expect(() => createSecrets('another root').open('webhook', sealed)).toThrow(
      /sealed for another purpose or SECRETS_KEY/,
    );
  });
});
