import type { CommandBus } from '@nestjs/cqrs';
import type { DepositCommands } from '../open.ts';
import { ApplySignals, AssignAddress } from './commands.ts';

/** For workers, which know no framework: the same commands, put on the bus of the app, which may be made after them. */
export const commandsOn = (bus: () => CommandBus): Pick<DepositCommands, 'applySignals' | 'assignAddress'> => ({
  applySignals: (depositId, signals, actor, until) =>
    bus().execute(new ApplySignals({ depositId, signals, actor, until })),
  assignAddress: (request) => bus().execute(new AssignAddress(request)),
});
