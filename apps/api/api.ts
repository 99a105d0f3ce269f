import type { App } from '#door/app';
import { ApiModule } from './api.module.ts';
import { DepositsModule } from './deposits/deposits.module.ts';
import { keepPruningKeys } from './deposits/keep-pruning-keys.ts';
import { DepositReadsModule } from './deposits/read/deposit-reads.module.ts';
import { KycLinksModule } from './kyc-links/kyc-links.module.ts';
import { toldWebhooks } from './openapi/webhooks/index.ts';
import { TestWebhookModule } from './test-webhook/test-webhook.module.ts';

/** What partners and their players call. */
export const api: App = {
  name: 'api',
  open: async ({ ground, desk }) => {
    const { lifecycle, logger, partners, pool, webhookClient } = ground;
    const { commands, kyc, reads, untilVisible } = await desk();
    return {
      routes: [
        ApiModule.with({ partners }),
        DepositsModule.with({ partners, untilVisible }),
        DepositReadsModule.with({ partners, reads }),
        KycLinksModule.with({ kyc }),
        TestWebhookModule.with({ partners, db: pool, client: webhookClient }),
      ],
      told: toldWebhooks(),
      start: () => {
        const pruning = keepPruningKeys(commands, logger);
        lifecycle.onStop('stop-consumers', 'the pruning of idempotency keys', pruning.stop);
      },
    };
  },
};
