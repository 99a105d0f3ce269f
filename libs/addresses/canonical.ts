const ETHEREUM = /^0x[0-9a-f]{40}$/i;

/** Bech32 is all lower or all upper case; the prefixes are those of the main and the test networks. */
const SEGWIT = /^(?:bc|tb|bcrt|ltc|tltc|rltc)1[a-z0-9]+$/;

/** CashAddr is all lower or all upper case too, and may leave its prefix out. */
const CASH_ADDRESS = /^(?:bitcoincash:)?([qp][a-z0-9]{41})$/;

const isShouted = (address: string): boolean => address === address.toUpperCase();

/**
 * The one spelling under which an address is kept unique and found again: the case of an Ethereum address is only its
 * checksum, and bech32 and CashAddr may be shouted. In every other kind of address the case counts.
 */
export const canonicalAddress = (address: string): string => {
  const lower = address.toLowerCase();
  if (ETHEREUM.test(address)) return lower;
  const spelled = isShouted(address) ? lower : address;
  const [, cash] = CASH_ADDRESS.exec(spelled) ?? [];
  if (cash !== undefined) return `bitcoincash:${cash}`;
  return SEGWIT.test(spelled) ? spelled : address;
};
