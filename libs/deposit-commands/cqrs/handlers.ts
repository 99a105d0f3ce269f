import { type Command, CommandHandler, type CommandResult } from '@nestjs/cqrs';
import type { DepositCommands } from '../open.ts';
import {
  AcceptDeposit,
  ApplySignals,
  AssignAddress,
  CreateDeposit,
  FreezeDeposit,
  ReleaseReturn,
  ReleaseSettlement,
  ReturnDeposit,
  ReviewKyt,
} from './commands.ts';

type Type<C> = new (...args: never[]) => C;

/** A handler adds nothing: what a command does is a function that needs no framework to be tested. */
const handlerOf = <C extends Command<unknown>>(
  command: Type<C>,
  handle: (command: C) => Promise<CommandResult<C>>,
): object => {
  @CommandHandler(command)
  class Handler {
    execute(given: C): Promise<CommandResult<C>> {
      return handle(given);
    }
  }
  Object.defineProperty(Handler, 'name', { value: `${command.name}Handler` });
  return new Handler();
};

export const handlersOf = (commands: DepositCommands): readonly object[] => [
  handlerOf(CreateDeposit, ({ request }) => commands.create(request)),
  handlerOf(AcceptDeposit, ({ request }) => commands.accept(request)),
  handlerOf(ReturnDeposit, ({ request }) => commands.return(request)),
  handlerOf(FreezeDeposit, ({ request }) => commands.freeze(request)),
  handlerOf(ReviewKyt, ({ request }) => commands.reviewKyt(request)),
  handlerOf(ReleaseReturn, ({ request }) => commands.releaseReturn(request)),
  handlerOf(ReleaseSettlement, ({ request }) => commands.releaseSettlement(request)),
  handlerOf(AssignAddress, ({ request }) => commands.assignAddress(request)),
  handlerOf(ApplySignals, ({ request: { depositId, signals, actor, until } }) =>
    commands.applySignals(depositId, signals, actor, until),
  ),
];
