import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { countUses, type Past, rememberPast } from '#limits';
import type { Configuration } from '#platform/configuration';
import { Crowded, outsidersOf, strangerFrom } from '#platform/gate';
import type { Logger } from '#platform/logging';
import { httpErrors } from '../errors/index.ts';

/** Whose uses are counted, as the policy is called in the header, and of what. */
export type Rate = { readonly policy: 'key' | 'casino' | 'address'; readonly subject: string; readonly most: number };

const WINDOW_S = 60;

export type RatesParts = {
  readonly db: pg.Pool;
  readonly logger: Pick<Logger, 'warn'>;
  readonly rates: Configuration['rates'];
};

type Use = Pick<Awaited<ReturnType<typeof countUses>>[number], 'subject' | 'allowed' | 'remaining' | 'secondsLeft'>;

const pasts = new WeakMap<pg.Pool, Past>();

/** Of this process, whoever counts. */
const pastOf = (db: pg.Pool): Past => {
  const past = pasts.get(db) ?? rememberPast();
  pasts.set(db, past);
  return past;
};

/** Those that are known to be past their limits, of whom the database need not be asked. */
const knownPast = (past: Past, rates: readonly Rate[]): Use[] =>
  rates.flatMap(({ subject }) => {
    const secondsLeft = past.secondsLeft(subject);
    return secondsLeft === undefined ? [] : [{ subject, allowed: false, remaining: 0, secondsLeft }];
  });

const countAnew = async ({ db }: RatesParts, rates: readonly Rate[]): Promise<readonly Use[]> => {
  const past = pastOf(db);
  // Of those who waited for their turn together the first may have been the last that is let through.
  const known = knownPast(past, rates);
  if (known.length > 0) return known;
  const uses = await countUses(
    db,
    rates.map(({ subject, most }) => ({ subject, most, withinSeconds: WINDOW_S })),
  );
  for (const { allowed, subject, secondsLeft } of uses) if (!allowed) past.note(subject, secondsLeft);
  return uses;
};

/** Who cannot be counted is let through: a limit is there to protect what then does not answer anyway. */
const counted = async (parts: RatesParts, count: () => Promise<readonly Use[]>): Promise<readonly Use[]> => {
  try {
    return await count();
  } catch (error) {
    if (error instanceof Crowded) throw error;
    parts.logger.warn({ err: error }, 'uses could not be counted');
    return [];
  }
};

const headersOf = (rates: readonly Rate[], uses: readonly Use[]): Readonly<Record<string, string>> => ({
  'ratelimit-policy': rates.map(({ policy, most }) => `"${policy}";q=${most};w=${WINDOW_S}`).join(', '),
  ratelimit: uses
    .map(({ subject, remaining, secondsLeft }) => {
      const policy = rates.find((rate) => rate.subject === subject)?.policy;
      return `"${policy}";r=${remaining};t=${secondsLeft}`;
    })
    .join(', '),
});

const tell = (reply: FastifyReply, rates: readonly Rate[], uses: readonly Use[]): void => {
  if (uses.length > 0) void reply.headers(headersOf(rates, uses));
  const waits = uses.filter(({ allowed }) => !allowed).map(({ secondsLeft }) => secondsLeft);
  if (waits.length > 0) throw httpErrors.tooManyCalls(Math.max(...waits));
};

/** Counts one use for each of the rates, tells in headers what is left, and refuses with 429 where nothing is. */
export const useRates = async (parts: RatesParts, reply: FastifyReply, rates: readonly Rate[]): Promise<void> => {
  if (rates.length === 0) return;
  tell(reply, rates, await counted(parts, () => countAnew(parts, rates)));
};

type Comer = { readonly of: string; readonly from: string };

const countInTurn = (parts: RatesParts, { of, from }: Comer, rates: readonly Rate[]): Promise<readonly Use[]> =>
  counted(parts, () => outsidersOf(parts.db)(strangerFrom(from, of), () => countAnew(parts, rates)));

/** The same for whoever shows no credential: such calls are counted a few at a time, those from one address one by one. */
export const useRateOfAddress = async (
  parts: RatesParts,
  reply: FastifyReply,
  { of, from, most }: Comer & { readonly most: number },
): Promise<void> => {
  const rates = [{ policy: 'address', subject: `${of} from ${from}`, most }] as const;
  tell(reply, rates, knownPast(pastOf(parts.db), rates));
  tell(reply, rates, await countInTurn(parts, { of, from }, rates));
};

/** Those that are switched on. */
export const ratesOn = (
  rates: readonly (Omit<Rate, 'most'> & { readonly most: number | undefined })[],
): readonly Rate[] => rates.flatMap(({ most, ...rate }) => (most === undefined ? [] : [{ ...rate, most }]));

/** A call that failed is counted behind its answer, unless too many are; the limits that it has passed, by subject. */
export const countFailure = async (
  parts: RatesParts,
  from: string,
  rates: readonly Rate[],
): Promise<readonly Use[]> => {
  if (rates.length === 0) return [];
  try {
    const uses = await countInTurn(parts, { of: 'failures', from }, rates);
    return uses.filter(({ remaining }) => remaining === 0);
  } catch (error) {
    if (error instanceof Crowded) return [];
    throw error;
  }
};
