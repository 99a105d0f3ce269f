/** Deposits' commands as @nestjs/cqrs knows them. */
export {
  AcceptDeposit,
  ApplySignals,
  CreateDeposit,
  FreezeDeposit,
  ReleaseReturn,
  ReturnDeposit,
  ReviewKyt,
  type SignalsRequest,
} from './commands.ts';
export { commandsOn } from './commands-on.ts';
export { DepositCommandsModule } from './deposit-commands.module.ts';
