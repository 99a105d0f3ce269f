import { describe, expect, it } from '@jest/globals';
import { redactText } from './redaction.ts';

describe('an address of e-mail in a sentence', () => {
  it.each([
    'hunter2@example.com',
    'hunter.2+casino@mail.example.co.uk',
    "o'hunter2@example.com",
    'hunter2#!$%&*/=?^`{|}~@example.com',
    'jürgen.hunter2@example.com',
    'охотник2@почта.рф',
    'hunter2@bücher.example',
    'hunter2@xn--bcher-kva.example',
    '猎人hunter2@例子.广告',
    'hunter2@例子。广告',
    'हंटर2@उदाहरण.भारत',
    '"hunter2 the second"@example.com',
    '"hunter2 \\"the@second"@example.com',
    `${'hunter2'.repeat(12)}@example.com`,
    `hunter2@${'a'.repeat(63)}.${'b'.repeat(63)}.example`,
  ])('is hidden: %s', (address) => {
    expect(redactText(`mail to ${address}, then nothing.`)).toBe('mail to [hidden], then nothing.');
    expect(redactText(`mail to <${address}> failed`)).toBe('mail to <[hidden]> failed');
  });

  it('is hidden within JSON, also where its name is quoted', () => {
    const refused = JSON.stringify({ to: '"hunter2 the second"@example.com', cc: 'hunter2@почта.рф', amount: 5 });
    expect(redactText(`refused: ${refused}`)).toMatch(/^refused: \{"to":"?\[hidden\]","cc":"\[hidden\]","amount":5\}$/);
    expect(redactText(refused)).not.toContain('hunter2');
  });

  it.each([
    'at /work/node_modules/@nestjs/core/router.js:12:7',
    'no server at postgres://[hidden]@db.example/pay',
    'five @ once, and nobody@all',
    'deposit 7 of casino 3 is behind: 12.5 s',
  ])('is not seen where there is none: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('the time that a sentence takes', () => {
  const fastest = (text: string): number => {
    const once = (): number => {
      const from = performance.now();
      redactText(text);
      return performance.now() - from;
    };
    // Of so many one at least is not kept from the processor by others.
    return Math.min(...Array.from({ length: 30 }, once));
  };

  it.each([
    'a',
    'é',
    '.',
    '"',
    '\\',
    '"\\',
    '@',
    'a@',
    'a.',
    '@a.',
    '@a。',
    '@。',
    '"a',
    'a@b.',
    "o'",
    '://',
    '://a',
    ' ',
  ])('grows with its length and no faster, of nothing but %j', (piece) => {
    // With one @ somewhere, or nothing is looked for.
    const ofLength = (length: number): string => `${piece.repeat(length / piece.length)} @`;
    const [short, long] = [fastest(ofLength(20_000)), fastest(ofLength(320_000))];
    // Sixteen times as much to look at: with its square it would be 256 times.
    expect(long).toBeLessThan(80 * short + 5);
  });
});
