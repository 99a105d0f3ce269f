/** What partners and operators are shown of a deposit, and how both name one. */
export { AmountsBody } from './amounts-body.ts';

export { DepositBody } from './deposit-body.ts';
export { EchoedAskedBody, EchoedBody } from './echoed-body.ts';
export { depositIdOf, entityIdOf } from './ids.ts';
