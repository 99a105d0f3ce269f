import type { Kyc } from '#kyc';
import type { Messages } from '#messages';

/** Names under which the module gets what the apps compose. */
export const KYC = Symbol('kyc of the operator routes');
export const MESSAGES = Symbol('messages of the operator routes');

export type OperatedKyc = Pick<
  Kyc,
  'setPlayer' | 'listPlayers' | 'revealPlayer' | 'eraseContacts' | 'isServiceAvailable' | 'setServiceAvailable'
>;
export type ListMessages = Messages['list'];
