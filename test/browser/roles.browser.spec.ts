import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  type Casino,
  type DepositHandle,
  done,
  engineOf,
  eventually,
  newCasino,
  newLegacyPartner,
  pinLegacyRates,
} from '../acceptance/harness/index.ts';
import { stage } from './stage.ts';

const { service, at } = stage();

/** What each button of the console calls, by what stands on it; whoever may not call it does not see it. */
const operations: Readonly<Record<string, RegExp>> = {
  reviewKyt: /^KYT (?:passed|failed)…$/,
  releaseReturn: /^Release the return…$/,
  releaseSettlement: /^(?:Release the settlement|Let it stand)…$/,
  settleTransaction: /^Settle…$/,
  redeliverWebhook: /^Again…$/,
  replayWebhookDeliveries: /^Count, then send again…$/,
  stopReplay: /^Stop…$/,
  setPlayer: /^(?:verified|rejected)…$/,
  revealPlayer: /^Show phone…$/,
  erasePlayer: /^Erase…$/,
  switchCurrency: /^Switch o(?:n|ff)…$/,
  pinRate: /^Pin…$/,
  unpinRate: /^Unpin…$/,
  configureExtendedKey: /^Configure an extended key…$/,
  rebuildProjection: /^(?:Compare|Compare and wait|Rebuild)…$/,
  switchProjection: /^Switch…$/,
  cancelRebuild: /^End the rebuild…$/,
  createEntity: /^New casino…$/,
  changeEntity: /^(?:Enable|Disable)…$/,
  'rotateApiKeyWebhookSecret rotateEntityWebhookSecret': /^New webhook secret…$/,
  createApiKey: /^New API key…$/,
  createToken: /^New token…$/,
  'revokeToken changeApiKey': /^Revoke…$/,
};

const changesNothing = /^(?:Sign out|Search|Filter|Save as CSV|More|Back|First|Before|Next|Now|Go|\d+ [A-Z]\w+)$/;

const REBUILT = 'receipts';

let casino: Casino;
type Kind = 'review' | 'held' | 'hit' | 'withheld';

let deposits: Readonly<Record<Kind, DepositHandle>>;

const newDeposit = async (): Promise<DepositHandle> => (await casino.deposit()).settle();

/** Whatever somebody may have to do is there to be done. */
beforeAll(async () => {
  casino = await newCasino(service, { entity: { webhook: { url: 'http://127.0.0.1:9/hooks' } } });
  const { gambler_ref } = await casino.player();
  const player = { entity_id: casino.entityId, gambler_ref, kyc: 'pending' };
  done(await service.operator('PUT', '/operator/players', player));
  const [review, held, hit, withheld] = [
    await casino.deposit(),
    await newDeposit(),
    await newDeposit(),
    await newDeposit(),
  ];
  deposits = { review, held, hit, withheld };
  await review.pay();
  await review.kyt('review');
  for (const one of [held, hit]) done(await one.return());
  await held.kyt('failed', 20);
  await hit.ofac('hit', 20);
  done(await withheld.accept());
  await withheld.reorg();
  await pinLegacyRates(service);
  const underpaid = engineOf(service, await (await newLegacyPartner(service)).create());
  await underpaid.seen('0.1');
  await underpaid.confirmed();
  done(await service.operator('POST', `/operator/projections/${REBUILT}/rebuild`, { mode: 'hold' }));
  await eventually(
    async () => done(await service.operator('GET', `/operator/projections/${REBUILT}`)).rebuild,
    (rebuild) => (rebuild as { readonly held?: boolean } | null)?.held === true,
  );
}, 60_000);

const pathsOf = async (page: Page): Promise<readonly string[]> => [
  ...(await page.$$eval('nav a', (links) => links.map((link) => (link as HTMLAnchorElement).pathname))),
  ...Object.values(deposits).map(({ id }) => `/console/deposits/${id}`),
  '/console/projections/deposits',
  `/console/projections/${REBUILT}`,
];

/** Once nothing is on its way any more: what is drawn then is what there is to do. */
const buttonsOn = async (page: Page, path: string): Promise<readonly string[]> => {
  const shown = path.endsWith('/settlements') ? `${path}?entity_id=${casino.entityId}` : path;
  await page.goto(shown);
  await page
    .getByText(/^As of .*Z$/)
    .nth(1)
    .waitFor();
  if (path.includes('/deposits/')) await page.getByText(/row that partners are served from is what/).waitFor();
  return page.$$eval('button', (all) => all.map((button) => button.textContent?.trim() ?? ''));
};

describe('whoever is signed in', () => {
  it.each(['admin', 'ops', 'auditor'])(
    'sees the buttons that his role may use, and no others: %s',
    async (role) => {
      const { token } = done(await service.operator('POST', '/operator/tokens', { role, name: role }));
      const can = done(await service.operator('GET', '/operator/me', undefined, String(token)))
        .can as readonly string[];
      const { page } = await at('/', String(token));
      const seen = new Set<string>();
      for (const path of await pathsOf(page)) {
        const buttons = (await buttonsOn(page, path)).filter((text) => !changesNothing.test(text));
        for (const text of buttons) {
          const named = Object.keys(operations).find((names) => operations[names]?.test(text));
          const mayCall = named?.split(' ').some((operation) => can.includes(operation));
          expect([path, text, mayCall]).toEqual([path, text, true]);
          seen.add(named ?? '');
        }
        // After an OFAC hit an admin alone releases.
        if (path.endsWith(`/deposits/${deposits.hit.id}`))
          expect([role, buttons.includes('Release the return…')]).toEqual([role, role === 'admin']);
      }
      const may = Object.keys(operations).filter((names) => names.split(' ').some((one) => can.includes(one)));
      expect([...seen].toSorted()).toEqual(may.toSorted());
    },
    180_000,
  );
});
