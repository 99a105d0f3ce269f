import { describe, expect, it } from '@jest/globals';
import { problemsWith } from './testing/problems-with.ts';

const right = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'a secret',
  OIDC_ROLES: 'admins=admin',
  CONSOLE_URL: 'https://ops.example',
};

describe('the settings of a provider', () => {
  it('are taken together, or not at all', () => {
    expect(problemsWith(right)).toEqual([]);
    expect(problemsWith({ OIDC_ISSUER: right.OIDC_ISSUER })).toEqual([
      'OIDC_CLIENT_ID must be set where OIDC_ISSUER is',
      'OIDC_CLIENT_SECRET must be set where OIDC_ISSUER is',
      'OIDC_ROLES must be set where OIDC_ISSUER is',
      'CONSOLE_URL must be set where OIDC_ISSUER is',
    ]);
  });

  it.each([
    ['OIDC_ISSUER', 'http://id.example'],
    ['OIDC_ISSUER', 'id.example'],
    ['OIDC_SCOPE', 'profile'],
    ['OIDC_ROLES_CLAIM', 'two words'],
    ['OIDC_ROLES', 'admins'],
    ['OIDC_ROLES', 'admins=root'],
    ['OIDC_ROLES', 'machines=engine'],
    ['OIDC_ROLES', 'admins=admin,,night=ops'],
    ['OIDC_RECHECK', '0'],
    ['OIDC_RECHECK', '59'],
    ['OIDC_RECHECK', '43201'],
    ['CONSOLE_URL', 'http://ops.example'],
    ['CONSOLE_URL', 'https://ops.example/console/'],
  ])('refuse %s=%s at the start, by its name', (name, value) => {
    expect(problemsWith({ ...right, [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))]);
  });

  it('may be of this machine itself without TLS', () => {
    expect(problemsWith({ ...right, OIDC_ISSUER: 'http://localhost:9', CONSOLE_URL: 'http://127.0.0.1:3000' })).toEqual(
      [],
    );
  });

  it('never repeat the secret', () => {
    expect(problemsWith({ ...right, OIDC_CLIENT_ID: '' }).join()).not.toContain(right.OIDC_CLIENT_SECRET);
  });
});
