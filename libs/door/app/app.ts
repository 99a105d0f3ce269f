import type { DynamicModule } from '@nestjs/common';
import type { DepositCommands } from '#deposit-commands';
import type { Ground, ServiceDesk } from '#ground';
import type { ToldBeside } from '../openapi/index.ts';

/** Commands of workers, which know no framework, put on the CommandBus of the process. */
export type CommandsOnBus = Pick<DepositCommands, 'applySignals' | 'assignAddress'>;

export type AppParts = {
  readonly ground: Ground;
  /** Opened by the first app that asks; one for the process. */
  readonly desk: () => Promise<ServiceDesk>;
  readonly commands: CommandsOnBus;
};

export type OpenApp = {
  /** Whoever has some has a door: its process makes known the tokens of the settings. */
  readonly routes?: readonly DynamicModule[];
  readonly told?: ToldBeside;
  /** Begins what it does by itself, before the process listens. */
  readonly start?: () => void;
};

/** A part of the service. Any number of them make a process; none of them knows another. */
export type App = {
  readonly name: string;
  /** Who calls its routes; with OPERATOR_PORT operators and engines have a door of their own. */
  readonly door?: 'partners' | 'operators';
  readonly open: (parts: AppParts) => Promise<OpenApp>;
};
