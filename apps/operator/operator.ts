import { refusedIn } from '#audit';
import type { App } from '#door/app';
import { openReturnReads } from '#engine';
import { projections, simulatedParts, streamRows } from '#ground';
import { waitingIds } from '#inbox';
import { openProjectionControl } from '#read-models';
import { watchAuditTrail } from './accounts/audit-trail/watch-audit-trail.ts';
import { accountRoutes } from './accounts/routes.ts';
import { approvalRoutes } from './approvals/approvals.controller.ts';
import { openAuditor } from './audit/open-auditor.ts';
import { auditRoutes } from './audit/routes.ts';
import { chainRoutes } from './chains/chains.controller.ts';
import { consoleRoutes } from './console/console.module.ts';
import { deliveryRoutes } from './deliveries/deliveries.controller.ts';
import { operatorDepositRoutes } from './deposits/routes.ts';
import { engineRecordRoutes } from './engine/engine-records.controller.ts';
import { inboxRoutes } from './inbox/inbox.controller.ts';
import { installationRoutes } from './installation/installation.controller.ts';
import { instanceRoutes } from './installation/instances.controller.ts';
import { marketRoutes } from './market/routes.ts';
import { playerRoutes } from './players/routes.ts';
import { lostEndRoutes } from './projections/lost-ends.controller.ts';
import { projectionRoutes } from './projections/projections.controller.ts';
import { pulseRoutes } from './pulse/pulse.controller.ts';
import { searchRoutes } from './search/search.controller.ts';
import { transactionRoutes } from './transactions/transactions.controller.ts';

/** What operators and auditors call. */
export const operator: App = {
  name: 'operator',
  door: 'operators',
  open: async ({ ground, desk: openDesk }) => {
    const { log, partners, pool, logger, configuration } = ground;
    const desk = await openDesk();
    const returns = openReturnReads({ pool, log });
    const refused = refusedIn(log, ground.broken);
    watchAuditTrail(ground);
    return {
      routes: [
        consoleRoutes({
          ...{ partners, provider: configuration.provider, logger },
          rates: { db: pool, logger, rates: configuration.rates },
        }),
        approvalRoutes(partners),
        installationRoutes(() => simulatedParts(ground), configuration),
        instanceRoutes(pool),
        accountRoutes(partners.accounts),
        marketRoutes(desk),
        playerRoutes(desk),
        operatorDepositRoutes({
          ...{ log, reads: desk.reads, waiting: (kind) => waitingIds(pool, kind) },
          namesOfActors: partners.accounts.namesOfActors,
        }),
        transactionRoutes({
          ...{ log, commands: desk.legacy, transactions: desk.transactions },
          waiting: (kind) => waitingIds(pool, kind),
        }),
        deliveryRoutes(pool),
        projectionRoutes(openProjectionControl({ projections, log, pool })),
        lostEndRoutes({ log, pool, kinds: streamRows }),
        inboxRoutes({
          ...{ pool, sealEverySeconds: configuration.sealEverySeconds },
          readModels: [desk.reads, desk.transactions, returns],
        }),
        searchRoutes({ pool, ...desk, returns }),
        pulseRoutes({ log, pool }),
        engineRecordRoutes({ pool, returns }),
        auditRoutes({ pool, log, projections, refused, auditor: openAuditor(ground, refused) }),
        chainRoutes(pool),
      ],
    };
  },
};
