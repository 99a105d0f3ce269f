import type { ProviderConfiguration } from '#platform/configuration';

export type Claims = Readonly<Record<string, unknown>>;

type Role = 'admin' | 'ops' | 'auditor';

const STRONGEST: readonly Role[] = ['admin', 'ops', 'auditor'];

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** By its whole name, which may have dots in it, else as a way into what is nested. */
const claimIn = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((found, part) => (isObject(found) ? found[part] : undefined), claims);

const wordsIn = (claim: unknown): readonly string[] =>
  [claim].flat().filter((word): word is string => typeof word === 'string');

export type RoleFound = { readonly role: Role } | { readonly missing: string };

/** The most that the claim's values allow, or what it lacks. */
export const roleOf = (
  claims: Claims,
  { rolesClaim, roles }: Pick<ProviderConfiguration, 'rolesClaim' | 'roles'>,
): RoleFound => {
  const words = wordsIn(claimIn(claims, rolesClaim));
  if (words.length === 0)
    return { missing: `The claim “${rolesClaim}” is missing from what your provider says of you.` };
  const role = STRONGEST.find((one) => words.some((word) => roles.get(word) === one));
  return role
    ? { role }
    : { missing: `Nothing in your claim “${rolesClaim}” (${words.join(', ')}) gives you a role here (OIDC_ROLES).` };
};
