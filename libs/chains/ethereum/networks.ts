const named: Readonly<Record<string, number>> = { main: 1, sepolia: 11_155_111, hoodi: 560_048 };

/** Of a network by its name; any other chain by its id. */
export const chainIdOf = (network: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(network) ? Number(network) : named[network];
