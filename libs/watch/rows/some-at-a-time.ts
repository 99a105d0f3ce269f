/** What a statement does with so many it does long before it is cancelled, and few are large: each may name 1,000 senders. */
const AT_A_TIME = 250;

/** Of what a stranger may have made thousands of, for a statement each. */
export function* someAtATime<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += AT_A_TIME) yield all.slice(from, from + AT_A_TIME);
}
