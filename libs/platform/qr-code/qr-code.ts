import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const [ONE_BIT, GREYSCALE, UNFILTERED] = [1, 0, 0];

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

const header = (side: number): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(side, 0);
  data.writeUInt32BE(side, 4);
  data.set([ONE_BIT, GREYSCALE], 8);
  return data;
};

/** One line of pixels: white is 1, and what lies behind the last pixel is not looked at. */
const lineOf = (dark: readonly boolean[], scale: number): Buffer => {
  const side = dark.length * scale;
  const line = Buffer.alloc(1 + Math.ceil(side / 8));
  line[0] = UNFILTERED;
  for (let x = 0; x < side; x++) {
    const place = 1 + (x >> 3);
    if (!dark[Math.floor(x / scale)]) line[place] = (line[place] ?? 0) | (0x80 >> (x & 7));
  }
  return line;
};

/** A square of dark and light modules as a PNG of one bit a pixel. */
const pngOf = (modules: readonly (readonly boolean[])[], scale: number): Buffer => {
  const lines = modules.flatMap((row) => Array.from({ length: scale }, () => lineOf(row, scale)));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(modules.length * scale)),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** As wide as the standard asks for, and as many pixels a module as screens show well. */
const [QUIET_ZONE, PIXELS] = [4, 6];

/**
 * Readers take any of the eight; to weigh them all against each other, as the standard advises, is most of the work of
 * making a code, and payment URIs are as good as random under each.
 */
const MASK = 2;

/** A text as a PNG that browsers show in place. */
export const qrCode = (text: string): string => {
  const { data } = encode(text, { ecc: 'M', border: QUIET_ZONE, maskPattern: MASK });
  return `data:image/png;base64,${pngOf(data, PIXELS).toString('base64')}`;
};
