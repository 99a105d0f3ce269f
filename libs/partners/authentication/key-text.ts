import { randomBytes } from 'node:crypto';

/** "A key may contain a colon; when it does, the part before the colon must be numeric." */
export type PresentedKey =
  | { readonly kind: 'with_id'; readonly id: number; readonly secret: string }
  | { readonly kind: 'bare'; readonly secret: string }
  | { readonly kind: 'malformed' };

const SECRET_BYTES = 32;

export const makeSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export const keyText = (id: number, secret: string): string => `${id}:${secret}`;

export const parseKey = (text: string): PresentedKey => {
  const colon = text.indexOf(':');
  if (colon < 0) return { kind: 'bare', secret: text };
  const id = text.slice(0, colon);
  const secret = text.slice(colon + 1);
  if (!/^[0-9]+$/.test(id) || secret === '') return { kind: 'malformed' };
  return { kind: 'with_id', id: Number(id), secret };
};
