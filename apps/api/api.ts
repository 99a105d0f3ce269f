import type { App } from '#door/app';
import { hourly } from '#platform/repeat';
import { ApiModule } from './api.module.ts';
import { DepositsModule } from './deposits/deposits.module.ts';
import { DepositReadsModule } from './deposits/read/deposit-reads.module.ts';
import { KycLinksModule } from './kyc-links/kyc-links.module.ts';
import { LegacyModule } from './legacy/legacy.module.ts';
import { toldWebhooks } from './openapi/webhooks/index.ts';
import { TestWebhookModule } from './test-webhook/test-webhook.module.ts';

/** What partners and their players call. */
export const api: App = {
  name: 'api',
  door: 'partners',
  open: async ({ ground, desk }) => {
    const { lifecycle, logger, partners, pool, webhookClient } = ground;
    const { commands, currencies, kyc, legacy, rates, reads, transactions } = await desk();
    return {
      routes: [
        ApiModule.with({ partners }),
        DepositsModule.with({ partners, untilVisible: reads.untilVisible }),
        DepositReadsModule.with({ partners, reads }),
        KycLinksModule.with({ kyc }),
        LegacyModule.with({
          ...{ commands: legacy, transactions, tokens: partners.legacyTokens },
          ...{ isEnabled: currencies.isEnabled, currentRate: rates.current },
        }),
        TestWebhookModule.with({ partners, db: pool, client: webhookClient }),
      ],
      told: toldWebhooks(),
      start: () => {
        const pruning = hourly(commands.pruneIdempotencyKeys, logger, 'old idempotency keys were not pruned');
        lifecycle.onStop('stop-consumers', 'the pruning of idempotency keys', pruning.stop);
      },
    };
  },
};
