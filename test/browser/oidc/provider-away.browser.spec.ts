import { expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { expectAccessible } from '../accessible.ts';
import { signIn, stage } from '../stage.ts';

const port = await freePort();

const { service, open } = stage(() => ({
  OIDC_ISSUER: `http://localhost:${port}`,
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'the-secret-of-the-console-0001',
  OIDC_ROLES: 'night-shift=ops',
  CONSOLE_URL: 'http://127.0.0.1:3000',
  LINKS_PER_ADDRESS: '4',
}));

it('says that the provider cannot be reached, and lets in by a token all the same', async () => {
  const { page } = await open();
  await page.goto('/console/deposits');
  const answered = page.waitForResponse((response) => response.url().includes('/console/session/provider'));
  await page.getByRole('link', { name: `Sign in at localhost:${port}` }).click();
  expect((await answered).status()).toBe(503);
  await page.getByRole('heading', { name: 'The provider cannot be reached' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to the sign-in' }).click();
  await signIn(page, service.access().operatorToken);
});

it('begins no more sign-ins of one address than of others who show no credential', async () => {
  const begin = () => fetch(`${service.access().url}/console/session/provider`, { redirect: 'manual' });
  const statuses = [];
  for (let calls = 0; calls < 5; calls++) statuses.push((await begin()).status);
  expect(statuses.slice(0, 3)).toEqual([503, 503, 503]);
  const refused = await begin();
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
