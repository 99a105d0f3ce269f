import { encode } from 'uqr';
import { pngOf } from './png.ts';

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
