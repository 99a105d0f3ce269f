import { amount, cutCents } from '#money';

export type Receipt = {
  readonly depositId: number;
  /** Decimal text, as the projection keeps it. */
  readonly playerAmount: string;
  readonly cryptoAmount: string;
  readonly currency: string;
};

/** Whole cents for the player's eye alone, and no more than was credited: that is in the deposit. */
const usd = (text: string): string => cutCents(amount(text)).toFixed(2);

const coins = (text: string): string => amount(text).toFixed();

export const receiptSubject = ({ depositId }: Receipt): string => `Receipt for deposit ${depositId}`;

export const receiptText = ({ depositId, playerAmount, cryptoAmount, currency }: Receipt): string =>
  `Receipt: ${usd(playerAmount)} USD credited for ${coins(cryptoAmount)} ${currency}. Deposit ${depositId}.`;
