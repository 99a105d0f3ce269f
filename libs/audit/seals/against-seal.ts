import type { ProvenEvent } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { placeUnder } from '../kept/place-under.ts';
import { type Head, leafOf, type Seal, sealProblem } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import { trailAgainst } from '../verify/trail.ts';
import type { Observer } from '../verify/verify.ts';
import { createTree } from './tree.ts';
import { createWalk } from './walk.ts';

export type AgainstSeal = {
  readonly seal: Seal;
  readonly publicKey: string;
  /** Where every stream ended when it was made; undefined: all that can be said is whether the root is still the same. */
  readonly heads: AsyncIterable<Head> | undefined;
  /** Nothing but this stream is walked through: without the heads nothing can be said of it. */
  readonly only?: string | undefined;
  /** Where the audit trail is; undefined: nothing is said of it. */
  readonly db?: Queryable | undefined;
};

/** All of them come to the root. */
async function* grown(
  heads: AsyncIterable<Head>,
  tree: ReturnType<typeof createTree>,
  only: string | undefined,
): AsyncGenerator<Head> {
  for await (const head of heads) {
    tree.add(leafOf(head));
    if (only === undefined || head.stream === only) yield head;
  }
}

const broken = (problem: string): Finding => ({ by: 'seal', problem });

const otherHeads = ({ number }: Seal): string => `the heads that are kept of seal ${number} are not its own`;

/** What is wrong with heads that came with a seal; undefined: they are what it was made over. */
export const headsProblem = async (seal: Seal, heads: AsyncIterable<Head>): Promise<string | undefined> => {
  const tree = createTree();
  for await (const head of heads) tree.add(leafOf(head));
  return tree.root().hash === seal.root ? undefined : otherHeads(seal);
};

/** Streams as they were at the place of the seal, without knowing how they had been. */
const rootAlone = ({ seal }: AgainstSeal, place: string | null, tell: (finding: Finding) => void): Observer => {
  const tree = createTree();
  let head: Head | undefined;
  const see = ({ stream, revision, hash = '', position }: ProvenEvent): void => {
    if (place === null || position > place) return;
    if (head && head.stream !== stream) tree.add(leafOf(head));
    head = { stream, revision, hash };
  };
  return {
    page: async (events) => events.forEach(see),
    end: async () => {
      if (head) tree.add(leafOf(head));
      if (tree.root().hash !== seal.root)
        tell(broken('history up to the place of the seal is another than was sealed'));
    },
  };
};

/** Each stream beside where it ended. */
const byHeads = (
  { seal, only }: AgainstSeal,
  heads: AsyncIterable<Head>,
  position: string | null,
  tell: (finding: Finding) => void,
): Observer => {
  const tree = createTree();
  const walk = createWalk({ sealed: grown(heads, tree, only), position, tell });
  return {
    page: walk.page,
    end: async () => {
      await walk.end();
      if (tree.root().hash !== seal.root) tell(broken(otherHeads(seal)));
    },
  };
};

/** What is under the seal is asked with the first page. */
const whenPlaced = (open: () => Promise<Observer>): Observer => {
  let opening: Promise<Observer> | undefined;
  const opened = (): Promise<Observer> => {
    opening ??= open();
    return opening;
  };
  return {
    page: async (events) => (await opened()).page(events),
    end: async () => (await opened()).end(),
  };
};

/** Told of whatever is not as it was when the seal was made: changed, cut off, dropped or added. */
export const againstSeal =
  (against: AgainstSeal) =>
  (tell: (finding: Finding) => void): Observer => {
    const { seal, publicKey, heads, only, db } = against;
    const problem = sealProblem(seal, publicKey);
    if (problem !== undefined) tell(broken(`seal ${seal.number}: ${problem}`));
    const { page, end } = whenPlaced(async () => {
      const place = await placeUnder(db, seal);
      return heads ? byHeads(against, heads, place, tell) : rootAlone(against, place, tell);
    });
    // What nobody has signed is no place to look at.
    const trail = problem === undefined && only === undefined ? seal.trail : undefined;
    return {
      page,
      end: async () => {
        await end();
        for (const each of db && trail ? await trailAgainst(db, trail) : []) tell(each);
      },
    };
  };
