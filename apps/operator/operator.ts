import type { App } from '#door/app';
import { listReturns, listSignals } from '#engine';
import { projections, simulatedParts } from '#ground';
import { openProjectionControl } from '#read-models';
import { AccountsModule } from './accounts/accounts.module.ts';
import { DeliveriesModule } from './deliveries/deliveries.module.ts';
import { OperatorDepositsModule } from './deposits/operator-deposits.module.ts';
import { EngineRecordsModule } from './engine/engine-records.module.ts';
import { InstallationModule } from './installation/installation.module.ts';
import { MarketModule } from './market/market.module.ts';
import { PlayersModule } from './players/players.module.ts';
import { ProjectionsModule } from './projections/projections.module.ts';
import { OperatorTransactionsModule } from './transactions/operator-transactions.module.ts';

/** What operators and auditors call. */
export const operator: App = {
  name: 'operator',
  door: 'operators',
  open: async ({ ground, desk: openDesk }) => {
    const { log, partners, pool } = ground;
    const { authenticateOperator } = partners;
    const desk = await openDesk();
    return {
      routes: [
        InstallationModule.with(authenticateOperator, () => simulatedParts(ground)),
        AccountsModule.with({ partners }),
        MarketModule.with({ authenticateOperator, ...desk }),
        PlayersModule.with({ authenticateOperator, ...desk }),
        OperatorDepositsModule.with({ authenticateOperator, reads: desk.reads, log }),
        OperatorTransactionsModule.with({
          ...{ authenticateOperator, log, commands: desk.legacy },
          transactions: desk.transactions,
        }),
        DeliveriesModule.with({ authenticateOperator, pool }),
        ProjectionsModule.with({
          authenticateOperator,
          projections: openProjectionControl({ projections, log, pool }),
        }),
        EngineRecordsModule.with({
          authenticateOperator,
          listSignals: (filters) => listSignals(pool, filters),
          listReturns: (filters) => listReturns(pool, filters),
        }),
      ],
    };
  },
};
