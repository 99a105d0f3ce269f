import { describe, expect, it } from '@jest/globals';
import { roleOf } from './role-of.ts';

const roles = new Map([
  ['payments-admins', 'admin'],
  ['night', 'ops'],
  ['CN=audit,OU=eu', 'auditor'],
] as const);

const found = (claims: object, rolesClaim = 'groups') => roleOf({ ...claims }, { rolesClaim, roles });

describe('the role of whom a provider lets in', () => {
  it.each([
    ['one word', { groups: 'night' }, 'groups', 'ops'],
    ['the strongest of a list', { groups: ['CN=audit,OU=eu', 'payments-admins', 'others'] }, 'groups', 'admin'],
    ['nested', { realm_access: { roles: ['night'] } }, 'realm_access.roles', 'ops'],
    ['a name with dots', { 'https://id.example/roles': ['night'] }, 'https://id.example/roles', 'ops'],
  ])('is found: %s', (_, claims, name, role) => {
    expect(found(claims, name)).toEqual({ role });
  });

  it.each([
    ['no claim', {}],
    ['numbers', { groups: [1, null, { night: true }] }],
    ['what every object has', { constructor: 'night' }],
  ])('is missing: %s', (_, claims) => {
    expect(found(claims)).toEqual({ missing: expect.stringContaining('“groups” is missing') });
  });

  it('is of no word that only looks like one', () => {
    expect(found({ groups: ['night '] })).toEqual({ missing: expect.stringContaining('night ') });
    expect(found({ groups: ['Night'] })).toEqual({ missing: expect.stringContaining('OIDC_ROLES') });
  });

  it('is not found in what an object inherits', () => {
    expect(found({}, 'constructor.name')).toEqual({ missing: expect.stringContaining('missing') });
  });
});
