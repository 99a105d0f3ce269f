import type { CommandBus } from '@nestjs/cqrs';
import type { DepositCommands } from '../open.ts';
import { ApplySignals, ReleaseReturn, ReviewKyt } from './commands.ts';

/** For callers that know no framework: the same commands, put on the bus of the app, which may be made after them. */
export const commandsOn = (
  bus: () => CommandBus,
): Pick<DepositCommands, 'applySignals' | 'reviewKyt' | 'releaseReturn'> => ({
  applySignals: (depositId, signals, actor) => bus().execute(new ApplySignals({ depositId, signals, actor })),
  reviewKyt: (request) => bus().execute(new ReviewKyt(request)),
  releaseReturn: (request) => bus().execute(new ReleaseReturn(request)),
});
