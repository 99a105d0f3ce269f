import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Comer, createGate, type Gate } from './gate.ts';

/** Of one party. Whoever finds so many before him is better told to come again. */
const MOST_WAITING = 200;

type Pool = Pick<pg.Pool, 'options'>;

const gates = new WeakMap<Pool, Gate>();

/**
 * What anybody may ask for without a credential, or with one as often as he likes, and what comes of it is a statement:
 * all of it together has a third of the pool's connections at most, the rest is for what partners do.
 */
export const outsidersOf = (pool: Pool): Gate => {
  const known = gates.get(pool);
  if (known) return known;
  const most = Math.max(2, Math.floor((pool.options.max ?? 0) / 3));
  const gate = createGate({ most, mostOfOne: Math.floor(most / 2), mostWaiting: MOST_WAITING });
  gates.set(pool, gate);
  return gate;
};

/** Nothing is known of him but from where he calls: strangers of one address take turns with those of others. */
export const strangerFrom = (address: string, thing: string = randomUUID()): Comer => ({
  party: `address ${address}`,
  thing,
});
