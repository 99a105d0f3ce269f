import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
  type Route,
} from 'playwright-core';
import { openMarket, type Running, type Service, serviceAt, startService } from '../acceptance/harness/index.ts';

const STARTS_WITHIN_MS = 120_000;

/** Where scripts/test-browser.mjs has found it. */
const launch = (): Promise<Browser> => {
  const { CHROMIUM, CHROMIUM_LIBRARIES, CHROMIUM_FONTS, PATH = '', HOME = '' } = process.env;
  if (!CHROMIUM) throw new Error('no browser is named: npm run test:browser');
  const env = {
    ...{ PATH, HOME },
    ...(CHROMIUM_LIBRARIES && { LD_LIBRARY_PATH: CHROMIUM_LIBRARIES }),
    ...(CHROMIUM_FONTS && { FONTCONFIG_FILE: CHROMIUM_FONTS }),
  };
  return chromium.launch({ executablePath: CHROMIUM, env });
};

/** What a page did that it may not. */
export type Watched = { readonly requests: string[]; readonly violations: string[]; readonly errors: string[] };

export type Opened = { readonly page: Page; readonly context: BrowserContext; readonly watched: Watched };

type Options = Parameters<Browser['newContext']>[0];

const watch = async (page: Page): Promise<Watched> => {
  const watched: Watched = { requests: [], violations: [], errors: [] };
  page.on('request', (request) => watched.requests.push(request.url()));
  page.on('pageerror', (error) => watched.errors.push(error.message));
  page.on('dialog', (dialog) => {
    watched.errors.push(`a script has opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction('cointillViolation', (text: string) => watched.violations.push(text));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const tell: unknown = Reflect.get(globalThis, 'cointillViolation');
      if (typeof tell === 'function') tell(`${violatedDirective} ${blockedURI}`);
    });
  });
  return watched;
};

/**
 * Two clicks of which the second comes before the first is answered, however slow the machine is: a dialog that had
 * closed meanwhile would let it fall on whatever stands behind. How many requests they brought about.
 */
export const doubleClicked = async (page: Page, button: Locator, isSent: (request: Request) => boolean) => {
  const { promise: clicked, resolve: goOn } = Promise.withResolvers<void>();
  let sent = 0;
  const hold = async (route: Route, request: Request): Promise<void> => {
    if (isSent(request)) sent += 1;
    await clicked;
    await route.continue();
  };
  await page.route('**/operator/**', hold);
  await button.dblclick();
  goOn();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.unroute('**/operator/**', hold);
  return sent;
};

/** A delivery that is being sent at this moment is left alone, and that is said: then it is asked for once more. */
export const saysToSendAgain = async (page: Page): Promise<void> => {
  const answered = page.waitForResponse((response) => response.url().endsWith('/redeliver'));
  await page.getByRole('button', { name: 'Send it again' }).click();
  if ((await answered).status() === 409) return saysToSendAgain(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

export type Stage = {
  readonly service: Service;
  /** An empty window of nobody. */
  readonly open: (options?: Options) => Promise<Opened>;
  /** Signed in with a token, the first admin's unless told, and at a page of the console. */
  readonly at: (path: string, token?: string, options?: Options) => Promise<Opened>;
};

export const signIn = async (page: Page, token: string): Promise<void> => {
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
};

type Settings = Readonly<Record<string, string>>;

/** One service and one browser for the cases of a file; whatever pages they opened kept to their policy and these origins. */
export const stage = (
  settings: () => Settings = () => ({}),
  origins: () => readonly string[] = () => [],
  begin: (settings: Settings) => Promise<Running> = startService,
): Stage => {
  let running: Running | undefined;
  let browser: Browser | undefined;
  let opened: Opened[] = [];
  const service = serviceAt(() => {
    if (!running) throw new Error('the service is not running');
    return running;
  });
  beforeAll(async () => {
    [running, browser] = await Promise.all([begin(settings()), launch()]);
    await openMarket(service);
  }, STARTS_WITHIN_MS);
  afterEach(async () => {
    const watched = opened.map((one) => one.watched);
    for (const { context } of opened) await context.close();
    opened = [];
    const known = [service.access().url, ...origins()];
    const abroad = watched.flatMap(({ requests }) =>
      requests.filter((url) => !/^(?:data:|blob:)/.test(url) && !known.includes(new URL(url).origin)),
    );
    expect({
      abroad,
      violations: watched.flatMap(({ violations }) => violations),
      errors: watched.flatMap(({ errors }) => errors),
    }).toEqual({ abroad: [], violations: [], errors: [] });
  });
  afterAll(async () => {
    await browser?.close();
    await running?.stop();
  }, STARTS_WITHIN_MS);
  const open: Stage['open'] = async (options) => {
    if (!browser) throw new Error('the browser is not running');
    const context = await browser.newContext({ baseURL: service.access().url, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const one = { page, context, watched: await watch(page) };
    opened.push(one);
    return one;
  };
  return {
    service,
    open,
    at: async (path, token = service.access().operatorToken, options = {}) => {
      const one = await open(options);
      await one.page.goto(`/console${path}`);
      await signIn(one.page, token);
      return one;
    },
  };
};
