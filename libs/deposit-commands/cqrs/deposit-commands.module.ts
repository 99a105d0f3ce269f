import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { DepositCommands } from '../open.ts';
import { DEPOSIT_COMMANDS, handlers } from './handlers.ts';

/** Answers every command on deposits that is put on the CommandBus of the process, whichever module asks for it. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class DepositCommandsModule {
  static with(commands: DepositCommands): DynamicModule {
    return {
      module: DepositCommandsModule,
      global: true,
      imports: [CqrsModule.forRoot()],
      providers: [{ provide: DEPOSIT_COMMANDS, useValue: commands }, ...handlers],
      exports: [CqrsModule],
    };
  }
}
