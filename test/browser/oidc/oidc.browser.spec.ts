import { describe, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Body, done, newCasino } from '../../acceptance/harness/index.ts';
import { databasePerFile } from '../../support/with-database.ts';
import { expectAccessible } from '../accessible.ts';
import { stage } from '../stage.ts';
import type { Forgery } from './people.ts';
import { startProvider } from './start-provider.ts';

const database = databasePerFile();
const provider = startProvider();
const { service, open } = stage(
  () => ({ DATABASE_URL: database.url, ...provider.settings() }),
  () => [provider.origin],
);

// Two sites, each with pages of its own, and a browser between them.
jest.setTimeout(90_000);

const BACK = '/console/session/provider/back';

/** At the provider's own page. */
const sayWhoIAm = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Go on' }).click();
};

const throughProvider = async (name: string, path = '/') => {
  const opened = await open();
  await opened.page.goto(`/console${path}`);
  await opened.page.getByRole('link', { name: /^Sign in at localhost/ }).click();
  await sayWhoIAm(opened.page, name);
  return opened;
};

const signedInAs = (page: Page, who: string) => page.getByText(who, { exact: true }).waitFor();

const notice = (page: Page, title: string) => page.getByRole('heading', { name: title, exact: true }).waitFor();

const forging = async (forgery: Forgery, work: () => Promise<void>): Promise<void> => {
  provider.forgery = forgery;
  try {
    await work();
  } finally {
    provider.forgery = undefined;
  }
};

const meOf = (page: Page) =>
  page.evaluate(() =>
    fetch('/operator/me', { headers: { 'X-Cointill-Console': '1' } }).then(async (answer) => [
      answer.status,
      ((await answer.json()) as { role?: string }).role,
    ]),
  );

describe('whom the provider of the operator lets in', () => {
  it('is where he wanted to be, with the role of his groups, and no secret where a script could find it', async () => {
    const { page, context } = await throughProvider('alice', '/deposits?status=Pending');
    await signedInAs(page, 'Alice (ops)');
    await page.locator('h1', { hasText: /^Deposits$/ }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/deposits?status=Pending');
    const cookies = await context.cookies(service.access().url);
    expect(cookies).toEqual([
      expect.objectContaining({ name: 'cointill_session', httpOnly: true, sameSite: 'Strict', path: '/' }),
    ]);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).toBe('[{},{},""]');
    expect(await meOf(page)).toEqual([200, 'ops']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator token').waitFor();
    await expectAccessible(page);
  });

  it('is out everywhere once the provider gives him no role any more', async () => {
    const { page } = await throughProvider('alice');
    await signedInAs(page, 'Alice (ops)');
    await forging({ claims: (claims) => ({ ...claims, groups: ['chess'] }) }, async () => {
      const { page: other } = await throughProvider('alice');
      await notice(other, 'You have no role here');
    });
    expect(await meOf(page)).toEqual([401, undefined]);
  });

  it.each([
    ['mallory', 'Nothing in your claim “groups” (chess) gives you a role here (OIDC_ROLES).'],
    ['nobody', 'The claim “groups” is missing from what your provider says of you.'],
  ])('is not %s, who is told what is missing', async (name, said) => {
    const { page } = await open();
    await page.goto('/console/');
    await page.getByRole('link', { name: /^Sign in at/ }).click();
    const answered = page.waitForResponse((response) => response.url().includes(BACK));
    await sayWhoIAm(page, name);
    expect((await answered).status()).toBe(403);
    await notice(page, 'You have no role here');
    await page.getByText(said).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await page.getByLabel('Operator token').waitFor();
    expect(await meOf(page)).toEqual([401, undefined]);
  });

  it('stands by name in the trail, and is shut out for good by an admin here', async () => {
    const { page } = await throughProvider('olga');
    await signedInAs(page, 'Olga (auditor)');
    const { tokens } = done(await service.operator('GET', '/operator/tokens'));
    const olga = (tokens as readonly Body[]).find(({ name }) => name === 'Olga');
    expect(olga).toMatchObject({ role: 'auditor', subject: `olga of ${provider.origin}` });
    const trail = done(await service.operator('GET', `/operator/audit-trail?subject_id=${olga?.id}`));
    expect(trail.audit_trail).toMatchObject([{ actor: `operator olga of ${provider.origin}`, actor_name: 'Olga' }]);
    done(await service.operator('PATCH', `/operator/tokens/${olga?.id}`, { status: 'revoked' }));
    await page.getByText('Your session is over').waitFor();
    await page.getByRole('link', { name: /^Sign in at/ }).click();
    await notice(page, 'You are shut out here');
  });
});

describe('what is dangerous', () => {
  /** What the service remembers of sessions goes with whatever changes among the accounts. */
  const setBack = async (): Promise<void> => {
    await database.pool.query("UPDATE console_sessions SET confirmed_at = now() - interval '6 minutes'");
    done(await service.operator('POST', '/operator/tokens', { role: 'auditor' }));
  };

  it('is done once he has shown the provider again who he is, and by nobody else in his place', async () => {
    const casino = await newCasino(service);
    const deposit = await casino.deposit();
    await deposit.pay();
    await deposit.kyt('review');
    const { page, context } = await throughProvider('bob', `/deposits/${deposit.id}`);
    await signedInAs(page, 'Bob (admin)');
    await setBack();
    await page.getByRole('button', { name: 'KYT passed…' }).click();
    await page.getByLabel('Reason, for the audit trail').fill('papers were shown');
    const send = page.getByRole('button', { name: 'Say that it passed' });
    await send.click();
    await page.getByRole('alert').filter({ hasText: 'Show again who you are' }).waitFor();
    await expectAccessible(page);
    const again = page.getByRole('link', { name: 'Show your provider again who you are' });
    for (const [who, title] of [
      ['alice', 'This session is somebody else’s'],
      ['bob', 'You are known again'],
    ] as const) {
      await send.click();
      await page.getByRole('alert').filter({ hasText: 'Show again who you are' }).waitFor();
      const opening = context.waitForEvent('page');
      await again.click();
      const window = await opening;
      await sayWhoIAm(window, who);
      await notice(window, title);
      await window.close();
    }
    await send.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(/KytReviewed at/).waitFor();
    const trail = done(await service.operator('GET', '/operator/audit-trail?subject=operation&subject_id=reviewKyt'));
    expect(trail.audit_trail).toMatchObject([{ actor: `operator bob of ${provider.origin}`, actor_name: 'Bob' }]);
  });

  it('is not confirmed by a provider that asked nobody', async () => {
    const { page, context } = await throughProvider('bob');
    await signedInAs(page, 'Bob (admin)');
    const stale: Forgery = { claims: (claims) => ({ ...claims, auth_time: Number(claims.auth_time) - 3_600 }) };
    await forging(stale, async () => {
      const window = await context.newPage();
      await window.goto('/console/');
      await window.evaluate(() => {
        location.href = '/console/session/provider?confirm';
      });
      await sayWhoIAm(window, 'bob');
      await notice(window, 'You are not signed in');
    });
  });
});

describe('what comes back from the provider', () => {
  const HOUR = 3_600;
  const changed = (changes: object): Forgery => ({ claims: (claims) => ({ ...claims, ...changes }) });
  const forgeries: Readonly<Record<string, Forgery>> = {
    'of another nonce': changed({ nonce: 'another' }),
    'without a nonce': { claims: ({ nonce: _, ...others }) => others },
    'of another issuer': changed({ iss: 'http://localhost:1' }),
    'for another client': changed({ aud: 'somebody-else' }),
    'that is over': {
      claims: (claims) => ({ ...claims, exp: Number(claims.iat) - HOUR, iat: Number(claims.iat) - 2 * HOUR }),
    },
    'of another person': changed({ sub: 'alice' }),
    'of a time that is none': changed({ auth_time: 1e17 }),
    'signed by a foreign key': { by: 'a foreign key' },
    'signed by nobody': { by: 'nobody' },
    'signed with what the client knows': { by: 'the secret' },
  };

  it.each(Object.entries(forgeries))('is refused where its token is %s', async (_, forgery) => {
    await forging(forgery, async () => {
      const { page } = await throughProvider('bob');
      await notice(page, 'You are not signed in');
      await page.getByText('does not prove who you are').waitFor();
      expect(await meOf(page)).toEqual([401, undefined]);
    });
  });

  /** What the provider would send back: nothing of it reaches the service. */
  const caught = async (page: Page, { known = false } = {}): Promise<URL> => {
    const { promise, resolve } = Promise.withResolvers<URL>();
    provider.takes = resolve;
    await page.goto('/console/');
    await page.getByRole('link', { name: /^Sign in at/ }).click();
    if (!known) await sayWhoIAm(page, 'bob');
    const url = await promise;
    provider.takes = undefined;
    return url;
  };

  it('is refused where its state is another', async () => {
    const { page } = await open();
    const url = await caught(page);
    url.searchParams.set('state', 'another');
    await page.goto(url.href);
    await notice(page, 'You are not signed in');
    url.searchParams.delete('state');
    await page.goto(url.href);
    await notice(page, 'This sign-in is not known here');
    expect(await meOf(page)).toEqual([401, undefined]);
  });

  it('is good once, and in the browser alone that was sent there', async () => {
    const { page, context } = await open();
    const stranger = await open();
    const url = await caught(page);
    const kept = await context.cookies(url.href);
    await stranger.page.goto(url.href);
    await notice(stranger.page, 'This sign-in is not known here');
    await page.goto(url.href);
    await signedInAs(page, 'Bob (admin)');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator token').waitFor();
    // As one who has kept what his browser lets go.
    await context.addCookies(kept);
    await page.goto(url.href);
    await notice(page, 'This sign-in is not known here');
    expect(await meOf(page)).toEqual([401, undefined]);
  });

  it('is refused where another sign-in of the same browser asked for it', async () => {
    const { page } = await open();
    const first = await caught(page);
    await caught(page, { known: true });
    await page.goto(first.href);
    await notice(page, 'You are not signed in');
  });

  it.each([
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    '/../..//evil.example',
    '@evil.example',
    '/session/provider',
  ])('leads to no place but the console: %s', async (target) => {
    const { page } = await open();
    await page.goto(`/console/session/provider?page=${encodeURIComponent(target)}`);
    await sayWhoIAm(page, 'alice');
    await signedInAs(page, 'Alice (ops)');
    expect(new URL(page.url()).origin).toBe(service.access().url);
    expect(new URL(page.url()).pathname).toMatch(/^\/console\//);
  });

  it('is said by the provider: whoever gave up there is not signed in', async () => {
    const { page } = await open();
    const url = await caught(page);
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
    url.searchParams.set('error_description', '<img src=x onerror=alert(1)>');
    await page.goto(url.href);
    await notice(page, 'You are not signed in');
    expect(await page.locator('img').count()).toBe(0);
  });
});

describe('a confirmation', () => {
  it('begins in the console alone', async () => {
    const { page } = await open();
    await page.goto('/console/session/provider?confirm');
    await notice(page, 'Nobody is signed in here');
  });
});
