import { describe, expect, it } from '@jest/globals';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { qrCode } from './index.ts';

/** By a decoder of PNGs and a reader of QR codes that know nothing of how they were made. */
const read = (dataUrl: string): string | undefined => {
  const { data, width, height } = PNG.sync.read(Buffer.from(dataUrl.split(',')[1] ?? '', 'base64'));
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
};

describe('a QR code', () => {
  it.each([
    'a',
    'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00171718',
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a?amount=12345678.12345678',
    'marscoin:MDpHzmjcBJaT6vzMsWowQ46kCrhXc3tBii?amount=1'.padEnd(300, '0'),
  ])('is a PNG that a reader of others reads back: %s', (text) => {
    const dataUrl = qrCode(text);
    expect(dataUrl).toMatch(/^data:image\/png;base64,/);
    expect(read(dataUrl)).toBe(text);
  });
});
