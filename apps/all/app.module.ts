import type { DynamicModule } from '@nestjs/common';
import type { DepositCommands } from '#deposit-commands';
import type { Position } from '#event-log';
import { ObservabilityModule } from '#platform/http';
import type { Projections } from '#read-models';
import type { WebhookClient } from '#webhooks';
import { ApiModule } from '../api/api.module.ts';
import { DepositsModule } from '../api/deposits/deposits.module.ts';
import { DepositReadsModule } from '../api/deposits/read/deposit-reads.module.ts';
import { KycLinksModule } from '../api/kyc-links/kyc-links.module.ts';
import { TestWebhookModule } from '../api/test-webhook/test-webhook.module.ts';
import { EngineModule } from '../engine/engine.module.ts';
import type { EngineRoutes } from '../engine/tokens.ts';
import { AccountsModule } from '../operator/accounts/accounts.module.ts';
import { DeliveriesModule } from '../operator/deliveries/deliveries.module.ts';
import { OperatorDepositsModule } from '../operator/deposits/operator-deposits.module.ts';
import { MarketModule } from '../operator/market/market.module.ts';
import { PlayersModule } from '../operator/players/players.module.ts';
import { ProjectionsModule } from '../operator/projections/projections.module.ts';
import type { Ground } from './ground.ts';
import type { ServiceDesk } from './service/desk.ts';

class AllModule {}

export type AllParts = {
  readonly ground: Ground;
  readonly desk: ServiceDesk;
  readonly engine: EngineRoutes;
  readonly projections: Projections;
  readonly client: WebhookClient;
  /** Operators' commands, as the app's CommandBus takes them. */
  readonly operators: Pick<DepositCommands, 'reviewKyt' | 'releaseReturn'>;
  readonly untilVisible: (position: Position) => Promise<void>;
};

const partnerRoutes = ({ ground: { partners, pool }, desk, client, untilVisible }: AllParts) => [
  ApiModule.with({ partners }),
  DepositsModule.with({ partners, commands: desk.commands, untilVisible }),
  DepositReadsModule.with({ partners, reads: desk.reads }),
  KycLinksModule.with({ kyc: desk.kyc }),
  TestWebhookModule.with({ partners, db: pool, client }),
];

const operatorRoutes = ({ ground, desk, engine, projections, operators }: AllParts) => {
  const { log, partners, pool } = ground;
  const { authenticateOperator } = partners;
  return [
    AccountsModule.with({ partners }),
    MarketModule.with({ authenticateOperator, ...desk }),
    PlayersModule.with({ authenticateOperator, ...desk }),
    OperatorDepositsModule.with({ authenticateOperator, reads: desk.reads, log, commands: operators }),
    DeliveriesModule.with({ authenticateOperator, pool }),
    ProjectionsModule.with({ authenticateOperator, projections }),
    EngineModule.with({ authenticateOperator, ...engine }),
  ];
};

/** Everything in one process. */
export const allModule = (parts: AllParts): DynamicModule => {
  const { health, metrics } = parts.ground;
  return {
    module: AllModule,
    imports: [ObservabilityModule.with(health, metrics), ...partnerRoutes(parts), ...operatorRoutes(parts)],
  };
};
