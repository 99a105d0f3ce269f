import type { LegacyCurrency } from '#money';

export type BitcoinLikeCoin = LegacyCurrency;

/** The first block of a chain is its name: scripts and addresses may be the same on another. */
const genesis: Readonly<Record<BitcoinLikeCoin, Readonly<Record<string, string>>>> = {
  BTC: {
    main: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    testnet4: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    signet: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  },
  LTC: {
    main: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    testnet: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
    regtest: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
  },
  DASH: { main: '00000ffd590b1485b3caadc19b22e6379c733355108f107a430458cdf3407ab6' },
  BCH: { main: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f' },
  MARS: {},
};

export const isGenesis = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Of a network by its name; any other chain by its first block itself. */
export const genesisOf = (coin: BitcoinLikeCoin, network: string): string | undefined =>
  isGenesis(network) ? network : genesis[coin][network];

type Landmark = { readonly height: number; readonly hash: string };

/** Chains that begin with the same block part here: Bitcoin from Bitcoin Cash, and that from those that left it. */
const landmarks: Readonly<Partial<Record<BitcoinLikeCoin, Landmark>>> = {
  BTC: { height: 478_559, hash: '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148' },
  BCH: { height: 661_648, hash: '0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce' },
};

export const landmarkOf = (coin: BitcoinLikeCoin, network: string): Landmark | undefined =>
  network === 'main' ? landmarks[coin] : undefined;
