import type pg from 'pg';
import { outsidersOf, strangerFrom } from '#platform/gate';
import type { KeyHash } from '../authentication/key-hash.ts';
import { makeSecret } from '../authentication/key-text.ts';

/** So long somebody may take at the provider. */
const OPEN_FOR = "interval '10 minutes'";

/** What has to come back from the provider with whoever was sent there. */
export type SentAway = { readonly state: string; readonly nonce: string; readonly verifier: string };

export type SignIn = SentAway & {
  readonly page: string;
  /** The session that he confirms, by its hash. */
  readonly confirms: Buffer | null;
};

export type SignIns = {
  /** What his browser keeps meanwhile. */
  readonly begin: (sent: SentAway, page: string, session?: string) => Promise<string>;
  /** Once: whoever comes back again is not known any more. */
  readonly take: (secret: string, from: string) => Promise<SignIn | undefined>;
};

const TAKE = `
  DELETE FROM console_sign_ins WHERE hash = $1 AND created_at > now() - ${OPEN_FOR}
  RETURNING state, nonce, verifier, page, confirms`;

type Hashes = { readonly signIns: KeyHash; readonly sessions: KeyHash };

export const openSignIns = (pool: pg.Pool, hashes: Hashes): SignIns => ({
  begin: async ({ state, nonce, verifier }, page, session) => {
    const secret = makeSecret();
    await pool.query(`DELETE FROM console_sign_ins WHERE created_at < now() - ${OPEN_FOR}`);
    await pool.query(
      'INSERT INTO console_sign_ins (hash, state, nonce, verifier, page, confirms) VALUES ($1, $2, $3, $4, $5, $6)',
      [hashes.signIns(secret), state, nonce, verifier, page, session === undefined ? null : hashes.sessions(session)],
    );
    return secret;
  },
  take: async (secret, from) => {
    const { rows } = await outsidersOf(pool)(strangerFrom(from), () =>
      pool.query<SignIn>(TAKE, [hashes.signIns(secret)]),
    );
    return rows[0];
  },
});
