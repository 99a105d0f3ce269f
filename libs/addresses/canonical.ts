const ETHEREUM = /^0x[0-9a-f]{40}$/i;

/** Bech32 is all lower or all upper case; the prefixes are those of the main and the test networks. */
const SEGWIT = /^(?:bc|tb|bcrt|ltc|tltc|rltc)1[a-z0-9]+$/;

/**
 * The one spelling under which an address is kept unique and found again: the case of an Ethereum address is only its
 * checksum, and bech32 may be shouted. In every other kind of address the case counts.
 */
export const canonicalAddress = (address: string): string => {
  const lower = address.toLowerCase();
  if (ETHEREUM.test(address)) return lower;
  const shouted = address === address.toUpperCase();
  return shouted && SEGWIT.test(lower) ? lower : address;
};
