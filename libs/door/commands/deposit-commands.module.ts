import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { DepositCommands } from '#deposit-commands';
import { handlersOf } from '#deposit-commands/cqrs';

/** Answers every command on deposits that is put on the CommandBus of the process. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class DepositCommandsModule {
  static with(commands: DepositCommands): DynamicModule {
    return {
      module: DepositCommandsModule,
      imports: [CqrsModule.forRoot()],
      providers: handlersOf(commands).map((handler) => ({ provide: handler.constructor, useFactory: () => handler })),
      exports: [CqrsModule],
    };
  }
}
