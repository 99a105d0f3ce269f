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
