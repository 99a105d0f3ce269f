import { isStorable } from '#door/rules';

type IdToken = { readonly sub: string; readonly iss: string; readonly auth_time?: number };

/** No store keeps a later one, nor one so long before 1970. */
const LATEST_S = Date.UTC(9999, 11, 31) / 1_000;

/** Who it is, by a name that nobody else has, and when he showed that; throws where that cannot be kept. */
export const provenBy = ({ sub, iss, auth_time = 0 }: IdToken): { readonly subject: string; readonly at: Date } => {
  if (sub === '') throw new Error('the name that it has for you (sub) is empty');
  if (!isStorable(sub)) throw new Error('the name that it has for you holds a NUL or half a character');
  if (Math.abs(auth_time) > LATEST_S)
    throw new Error(`it says that you signed in at a time that is none (auth_time ${auth_time})`);
  // By what was proven: OIDC_ISSUER may be spelled with a slash today and without it tomorrow.
  return { subject: `${sub} of ${iss}`, at: new Date(1_000 * auth_time) };
};
