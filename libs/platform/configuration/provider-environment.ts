import type { OperatorRole, ProviderConfiguration } from './configuration.ts';
import { Must, OrEmpty, SetWhere } from './must.ts';
import { Secret } from './secret.ts';
import { wordsOf } from './shapes.ts';
import { StoresEnvironment } from './stores-environment.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Without TLS anybody on the way could be the provider, or the console. */
const isSafeUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)));
};

const roles: readonly OperatorRole[] = ['admin', 'ops', 'auditor'];

/** Undefined where a pair is none. The name of a group may have `=` in it. */
const rolesIn = (text: string): ReadonlyMap<string, OperatorRole> | undefined => {
  const pairs = wordsOf(text).flatMap((word): [string, OperatorRole][] => {
    const [, value, name] = /^(.+)=([a-z]+)$/.exec(word) ?? [];
    const role = roles.find((one) => one === name);
    return value && role ? [[value, role]] : [];
  });
  return pairs.length === wordsOf(text).length ? new Map(pairs) : undefined;
};

/** Who lets operators in at the console, beside tokens. */
export class ProviderEnvironment extends StoresEnvironment {
  @OrEmpty({ must: 'a URL like https://id.example (http on this machine alone)', holds: isSafeUrl })
  OIDC_ISSUER = '';

  @SetWhere('OIDC_ISSUER')
  OIDC_CLIENT_ID = '';

  @Secret
  @SetWhere('OIDC_ISSUER')
  OIDC_CLIENT_SECRET = '';

  @Must({
    must: 'be scopes with a blank between them, openid among them',
    holds: (text) => text.split(/\s+/).includes('openid'),
  })
  OIDC_SCOPE = 'openid profile';

  @Must({ must: 'be the name of one claim', holds: (text) => /^\S+$/.test(text) })
  OIDC_ROLES_CLAIM = 'groups';

  @SetWhere('OIDC_ISSUER')
  @OrEmpty({
    must: 'a list like payments-admins=admin,night-shift=ops (admin, ops or auditor)',
    holds: (text) => rolesIn(text) !== undefined,
  })
  OIDC_ROLES = '';

  @Must({
    must: 'be seconds, from 60 to 43200',
    holds: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 60 && Number(text) <= 43_200,
  })
  OIDC_RECHECK = '3600';

  @SetWhere('OIDC_ISSUER')
  @OrEmpty({
    must: 'a URL like https://ops.example, without a path (http on this machine alone)',
    holds: (text) => isSafeUrl(text) && URL.parse(text)?.pathname === '/',
  })
  CONSOLE_URL = '';
}

export const providerOf = (checked: ProviderEnvironment): ProviderConfiguration | undefined =>
  checked.OIDC_ISSUER === ''
    ? undefined
    : {
        issuer: checked.OIDC_ISSUER,
        clientId: checked.OIDC_CLIENT_ID,
        clientSecret: checked.OIDC_CLIENT_SECRET,
        scope: checked.OIDC_SCOPE,
        rolesClaim: checked.OIDC_ROLES_CLAIM,
        roles: rolesIn(checked.OIDC_ROLES) ?? new Map(),
        recheckSeconds: Number(checked.OIDC_RECHECK),
        consoleUrl: new URL(checked.CONSOLE_URL).origin,
      };
