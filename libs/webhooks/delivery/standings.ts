import { createTally } from './tally.ts';

/** Where a delivery goes, and whose endpoint that is. */
export type Addressed = { readonly endpoint: string; readonly owner: number };

/** How an endpoint answered. */
export type Manner = 'quick' | 'slow' | 'failed';

/** What is expected of an endpoint: a quick answer, anything, or nothing good. */
export type Kind = 'quick' | 'fresh' | 'doubtful';

/** What is known of endpoints here, by how they answered last and by what they have not answered yet. */
export type Standings = {
  readonly kindOf: (endpoint: string) => Kind;
  /** Its last answer was none, or a bad one. */
  readonly failed: (endpoint: string) => boolean;
  readonly answered: (endpoint: string, manner: Manner) => void;
  /** So many more of its attempts have lasted longer than a quick answer. */
  readonly hang: (endpoint: string, by: 1 | -1) => void;
  /** Those that have answered. */
  readonly known: () => Iterable<string>;
};

export const createStandings = (): Standings => {
  const manners = new Map<string, Manner>();
  const hanging = createTally<string>();
  return {
    kindOf: (endpoint) => {
      if (hanging.at(endpoint) > 0) return 'doubtful';
      const manner = manners.get(endpoint);
      if (manner === undefined) return 'fresh';
      return manner === 'quick' ? 'quick' : 'doubtful';
    },
    failed: (endpoint) => (manners.get(endpoint) ?? 'failed') === 'failed',
    answered: (endpoint, manner) => void manners.set(endpoint, manner),
    hang: hanging.add,
    known: () => manners.keys(),
  };
};
