import type { FastifyReply } from 'fastify';
import { countUses } from '#limits';
import type { Configuration } from '#platform/configuration';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { httpErrors } from '../errors/index.ts';

/** Whose uses are counted, as the policy is called in the header, and of what. */
export type Rate = { readonly policy: 'key' | 'casino' | 'address'; readonly subject: string; readonly most: number };

const WINDOW_S = 60;

export type RatesParts = {
  readonly db: Queryable;
  readonly logger: Pick<Logger, 'warn'>;
  readonly rates: Configuration['rates'];
};

type Counted = Awaited<ReturnType<typeof countUses>>;

/** Who cannot be counted is let through: a limit is there to protect what then does not answer anyway. */
const counted = async ({ db, logger }: RatesParts, rates: readonly Rate[]): Promise<Counted> => {
  try {
    return await countUses(
      db,
      rates.map(({ subject, most }) => ({ subject, most, withinSeconds: WINDOW_S })),
    );
  } catch (error) {
    logger.warn({ err: error }, 'uses could not be counted');
    return [];
  }
};

const headersOf = (rates: readonly Rate[], uses: Counted): Readonly<Record<string, string>> => ({
  'ratelimit-policy': rates.map(({ policy, most }) => `"${policy}";q=${most};w=${WINDOW_S}`).join(', '),
  ratelimit: uses
    .map(({ remaining, secondsLeft }, nth) => `"${rates[nth]?.policy}";r=${remaining};t=${secondsLeft}`)
    .join(', '),
});

/** Counts one use for each of the rates, tells in headers what is left, and refuses with 429 where nothing is. */
export const useRates = async (parts: RatesParts, reply: FastifyReply, rates: readonly Rate[]): Promise<void> => {
  if (rates.length === 0) return;
  const uses = await counted(parts, rates);
  if (uses.length > 0) void reply.headers(headersOf(rates, uses));
  const waits = uses.filter(({ allowed }) => !allowed).map(({ secondsLeft }) => secondsLeft);
  if (waits.length > 0) throw httpErrors.tooManyCalls(Math.max(...waits));
};

/** Those that are switched on. */
export const ratesOn = (
  rates: readonly (Omit<Rate, 'most'> & { readonly most: number | undefined })[],
): readonly Rate[] => rates.flatMap(({ most, ...rate }) => (most === undefined ? [] : [{ ...rate, most }]));

/** A call that failed is counted behind its answer; the limits that it has passed, by subject. */
export const countFailure = async (parts: RatesParts, rates: readonly Rate[]) =>
  rates.length === 0 ? [] : (await counted(parts, rates)).filter(({ remaining }) => remaining === 0);
