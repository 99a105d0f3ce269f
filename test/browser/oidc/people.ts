import { createHmac, createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto';

/** Whom the provider knows, by what they type into its form. */
export const people: Readonly<Record<string, { readonly name: string; readonly groups?: readonly string[] }>> = {
  alice: { name: 'Alice', groups: ['night-shift', 'chess'] },
  bob: { name: 'Bob', groups: ['payments-admins'] },
  olga: { name: 'Olga', groups: ['controllers'] },
  mallory: { name: 'Mallory', groups: ['chess'] },
  nobody: { name: 'Nobody' },
};

export const ROLES = 'night-shift=ops,payments-admins=admin,controllers=auditor';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

/** The provider's, and one that says the same of itself. */
export const [ours, theirs] = [rsa(), rsa()].map((key) => ({ ...key, kid: 'one', use: 'sig', alg: 'RS256' }));

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export type Forgery = {
  readonly claims?: (claims: Record<string, unknown>) => object;
  readonly by?: 'a foreign key' | 'nobody' | 'the secret';
};

const signed = (text: string, { by }: Forgery, secret: string): string => {
  if (by === 'nobody') return '';
  if (by === 'the secret') return createHmac('sha256', secret).update(text).digest('base64url');
  const key = createPrivateKey({ key: (by === 'a foreign key' ? theirs : ours) ?? {}, format: 'jwk' });
  return createSign('RSA-SHA256').update(text).sign(key, 'base64url');
};

const ALGORITHMS = { 'a foreign key': 'RS256', nobody: 'none', 'the secret': 'HS256' } as const;

/** An ID token as somebody would like it to be. */
export const forged = (token: string, forgery: Forgery, secret: string): string => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const header = { alg: forgery.by ? ALGORITHMS[forgery.by] : 'RS256', kid: 'one', typ: 'JWT' };
  const text = `${part(header)}.${part(forgery.claims?.(claims) ?? claims)}`;
  return `${text}.${signed(text, forgery, secret)}`;
};
