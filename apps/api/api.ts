import type { App } from '#door/app';
import { pruneLimits } from '#limits';
import { hourly } from '#platform/repeat';
import { readRoutes } from './deposits/read/read.controller.ts';
import { depositRoutes } from './deposits/routes.ts';
import { keyRoutes } from './integration/key.controller.ts';
import { kycLinkRoutes } from './kyc-links/kyc-links.controller.ts';
import { legacyRoutes } from './legacy/routes.ts';
import { toldWebhooks } from './openapi/webhooks/index.ts';
import { testWebhookRoutes } from './test-webhook/test-webhook.controller.ts';

/** What partners and their players call. */
export const api: App = {
  name: 'api',
  door: 'partners',
  open: async ({ ground, desk }) => {
    const { configuration, lifecycle, logger, partners, pool, webhookClient } = ground;
    const { commands, currencies, kyc, legacy, rates, reads, transactions } = await desk();
    const limits = { db: pool, logger, rates: configuration.rates };
    return {
      routes: [
        keyRoutes({ partners }),
        depositRoutes({ partners, phoneCheck: configuration.phoneCheck, rates: limits }),
        readRoutes({ partners, reads }),
        kycLinkRoutes({ kyc, rates: limits }),
        legacyRoutes({
          ...{ commands: legacy, transactions, tokens: partners.legacyTokens },
          ...{ isEnabled: currencies.isEnabled, currentRate: rates.current },
        }),
        testWebhookRoutes({ partners, db: pool, client: webhookClient }),
      ],
      told: toldWebhooks(),
      start: () => {
        const pruning = hourly(commands.pruneIdempotencyKeys, logger, 'old idempotency keys were not pruned');
        lifecycle.onStop('stop-consumers', 'the pruning of idempotency keys', pruning.stop);
        const forgetting = hourly((stopping) => pruneLimits(pool, stopping), logger, 'old limits were not pruned');
        lifecycle.onStop('stop-consumers', 'the pruning of limits', forgetting.stop);
      },
    };
  },
};
