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
export { DepositCommandsModule } from './deposit-commands.module.ts';
