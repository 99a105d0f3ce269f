import type { Variables } from '#platform/from-files';
import type { ChainConfiguration, ConfirmationStep } from './configuration.ts';
import { Secret } from './secret.ts';
import { isCount, isUrlOf, wordsOf } from './shapes.ts';

const chainCoins = [
  'BTC',
  'LTC',
  'ETH',
  'DASH',
  'MARS',
  'BCH',
] as const satisfies readonly ChainConfiguration['coin'][];

type Setting = {
  readonly otherwise: string | Readonly<Partial<Record<ChainConfiguration['coin'], string>>>;
  readonly must: string;
  readonly holds: (text: string) => boolean;
  readonly isSecret?: boolean;
};

const isAmount = (text: string): boolean => /^\d{1,15}(\.\d{1,18})?$/.test(text);
const isNeed = (text: string): boolean => isCount(text, 10_000) || text === 'safe' || text === 'finalized';

/** Of blocks and of words each by itself: which of `12` and `safe` is more, the chain alone knows. */
const isLess = (need: string, before: string): boolean =>
  need === 'safe' ? before === 'finalized' : Number(need) < Number(before);

const isSteps = (text: string): boolean => {
  const [first = '', ...more] = wordsOf(text);
  const steps = more.map((step) => step.split(':'));
  const amounts = steps.map(([from = '']) => Number(from));
  const needs = [first, ...steps.map(([, need = '']) => need)];
  return (
    needs.every(isNeed) &&
    steps.every(([from = '', , ...rest]) => isAmount(from) && rest.length === 0) &&
    amounts.every((amount, nth) => amount > (amounts[nth - 1] ?? 0)) &&
    needs.every((need, nth) => nth === 0 || !isLess(need, needs[nth - 1] ?? ''))
  );
};

/** Each with the name of the coin before it: BTC_NODE_URL. */
const settings = {
  NODE_URL: {
    otherwise: '',
    must: 'be empty or a list of URLs like http://user:password@host:8332',
    holds: (text) => wordsOf(text).every((url) => isUrlOf(url, ['http:', 'https:'])),
    isSecret: true,
  },
  NODE_USER: { otherwise: '', must: 'be text', holds: () => true },
  NODE_PASSWORD: { otherwise: '', must: 'be text', holds: () => true, isSecret: true },
  NODE_COOKIE: { otherwise: '', must: 'be a path without a NUL character', holds: (text) => !text.includes('\0') },
  NETWORK: {
    otherwise: 'main',
    must: 'be the name of a network, the hash of its first block, or with ETH its chain id',
    holds: (text) => /^[a-z0-9]+$/.test(text),
  },
  NODES_AGREE: { otherwise: '1', must: 'be a whole number from 1 to 9', holds: (text) => isCount(text, 9) },
  CONFIRMATIONS: {
    otherwise: { BTC: '1', LTC: '3', ETH: 'safe', DASH: '2', MARS: '6', BCH: '3' },
    must: 'be a number of blocks, with rising amounts after it that need as many or more, like 1,0.5:3,5:6; with ETH safe or finalized too',
    holds: isSteps,
  },
  HEAD_MAX_AGE_S: {
    otherwise: { BTC: '5400', LTC: '1800', ETH: '60', DASH: '1800', MARS: '3600', BCH: '5400' },
    must: 'be a whole number of seconds from 1 on',
    holds: (text) => isCount(text, 9_999_999),
  },
  DUST: { otherwise: '0', must: 'be an amount of the coin like 0.00001', holds: isAmount },
} as const satisfies Readonly<Record<string, Setting>>;

type Name = keyof typeof settings;

const names = Object.keys(settings) as Name[];

export const chainSettings: readonly string[] = chainCoins.flatMap((coin) => names.map((name) => `${coin}_${name}`));

for (const coin of chainCoins)
  for (const name of names) {
    const { isSecret = false }: Setting = settings[name];
    if (isSecret) Secret({}, `${coin}_${name}`);
  }

const stepsOf = (text: string): readonly ConfirmationStep[] =>
  wordsOf(text).map((step) => {
    const [from = '0', need = ''] = step.includes(':') ? step.split(':') : ['0', step];
    return { from, need: need === 'safe' || need === 'finalized' ? need : Number(need) };
  });

/** Whoever logs in there, it is one node: two of them agree with each other whatever it says. */
const placeOf = (text: string): string => {
  if (!URL.canParse(text)) return text;
  const { protocol, hostname, port, pathname, search } = new URL(text);
  // The dot at the end of a name that is whole.
  return `${protocol}//${hostname.replace(/\.$/, '')}:${port}${pathname}${search}`;
};

const areDifferent = (urls: readonly string[]): boolean => new Set(urls.map(placeOf)).size === urls.length;

const problemsOf = (coin: ChainConfiguration['coin'], texts: Readonly<Record<Name, string>>): readonly string[] => {
  const wrong = names.filter((name) => !settings[name].holds(texts[name]));
  const asked = Number(texts.NODES_AGREE);
  const known = wordsOf(texts.NODE_URL).length;
  return [
    ...wrong.map((name) => `${coin}_${name} must ${settings[name].must}`),
    ...(areDifferent(wordsOf(texts.NODE_URL)) ? [] : [`${coin}_NODE_URL must not name one node twice`]),
    ...(known > 0 && asked > known ? [`${coin}_NODES_AGREE must not be more than ${coin}_NODE_URL names`] : []),
    ...(texts.NODE_COOKIE && texts.NODE_USER ? [`${coin}_NODE_COOKIE and ${coin}_NODE_USER are both set`] : []),
    ...(coin !== 'ETH' && /safe|finalized/.test(texts.CONFIRMATIONS)
      ? [`${coin}_CONFIRMATIONS must be numbers of blocks: this chain calls none of them settled`]
      : []),
  ];
};

/** Of the coins that have a node; what is wrong with any is told. */
export const chainsOf = (
  variables: Variables,
): { readonly chains: readonly ChainConfiguration[]; readonly problems: readonly string[] } => {
  const problems: string[] = [];
  const chains = chainCoins.flatMap((coin): ChainConfiguration[] => {
    const textOf = (name: Name): string => {
      const { otherwise }: Setting = settings[name];
      const preset = typeof otherwise === 'string' ? otherwise : (otherwise[coin] ?? '');
      return variables[`${coin}_${name}`]?.trim() || preset;
    };
    const texts = Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<Name, string>;
    const found = problemsOf(coin, texts);
    problems.push(...found);
    if (texts.NODE_URL === '' || found.length > 0) return [];
    const login = {
      ...(texts.NODE_USER && { user: texts.NODE_USER, password: texts.NODE_PASSWORD }),
      ...(texts.NODE_COOKIE && { cookieFile: texts.NODE_COOKIE }),
    };
    return [
      {
        ...{ coin, login, nodeUrls: wordsOf(texts.NODE_URL), network: texts.NETWORK, agree: Number(texts.NODES_AGREE) },
        ...{ confirmations: stepsOf(texts.CONFIRMATIONS), headMaxAgeS: Number(texts.HEAD_MAX_AGE_S), dust: texts.DUST },
      },
    ];
  });
  return { chains, problems };
};
