import type { DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { DepositCommands } from '#deposit-commands';
import { handlersOf } from '#deposit-commands/cqrs';

/** Answers every command on deposits that is put on the CommandBus of the process. */
export const answeringCommands = (commands: DepositCommands): DynamicModule => ({
  module: class Commands {},
  imports: [CqrsModule.forRoot()],
  providers: handlersOf(commands).map((handler) => ({ provide: handler.constructor, useFactory: () => handler })),
  exports: [CqrsModule],
});
