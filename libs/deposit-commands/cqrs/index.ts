/** Deposits' commands as @nestjs/cqrs knows them. */
export {
  AcceptDeposit,
  CreateDeposit,
  FreezeDeposit,
  ReleaseReturn,
  ReleaseSettlement,
  ReturnDeposit,
  ReviewKyt,
} from './commands.ts';
export { commandsOn } from './commands-on.ts';
export { handlersOf } from './handlers.ts';
