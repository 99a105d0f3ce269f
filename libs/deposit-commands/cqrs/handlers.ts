import { Inject, type Type } from '@nestjs/common';
import { type Command, CommandHandler, type CommandResult } from '@nestjs/cqrs';
import type { DepositCommands } from '../open.ts';
import {
  AcceptDeposit,
  ApplySignals,
  CreateDeposit,
  FreezeDeposit,
  ReleaseReturn,
  ReturnDeposit,
  ReviewKyt,
} from './commands.ts';

export const DEPOSIT_COMMANDS = Symbol('deposit commands');

/** A handler adds nothing: what a command does is a function that needs no framework to be tested. */
const handlerOf = <C extends Command<unknown>>(
  command: Type<C>,
  handle: (commands: DepositCommands, command: C) => Promise<CommandResult<C>>,
): Type<object> => {
  @CommandHandler(command)
  class Handler {
    readonly #commands: DepositCommands;

    constructor(@Inject(DEPOSIT_COMMANDS) commands: DepositCommands) {
      this.#commands = commands;
    }

    execute(given: C): Promise<CommandResult<C>> {
      return handle(this.#commands, given);
    }
  }
  Object.defineProperty(Handler, 'name', { value: `${command.name}Handler` });
  return Handler;
};

export const handlers = [
  handlerOf(CreateDeposit, ({ create }, { request }) => create(request)),
  handlerOf(AcceptDeposit, ({ accept }, { request }) => accept(request)),
  handlerOf(ReturnDeposit, (commands, { request }) => commands.return(request)),
  handlerOf(FreezeDeposit, ({ freeze }, { request }) => freeze(request)),
  handlerOf(ReviewKyt, ({ reviewKyt }, { request }) => reviewKyt(request)),
  handlerOf(ReleaseReturn, ({ releaseReturn }, { request }) => releaseReturn(request)),
  handlerOf(ApplySignals, ({ applySignals }, { request: { depositId, signals, actor } }) =>
    applySignals(depositId, signals, actor),
  ),
];
