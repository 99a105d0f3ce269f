export { DepositCommandsModule } from './deposit-commands.module.ts';
