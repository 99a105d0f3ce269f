import { acceptView, amountsView, type Deposit } from '#deposits';

/** Numbers on the wire as the Deposit object has them. */
export const moneyOf = ({ amounts }: Deposit) => amountsView(amounts);

export const confirmedCryptoOf = (deposit: Deposit): number | null => acceptView(deposit).confirmed_crypto;
