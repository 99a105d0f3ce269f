import type { Turn } from '../parts.ts';
import type { Payment } from '../rows/payments.ts';
import type { Tip } from '../rows/tip.ts';

/** Until then a node that is slow, or was away for a moment, may show them. */
const BLOCKS = 30;

/** Of more of them at a time each may be told again. */
const REMEMBERED = 1_000;

/** Nothing else tells why they are not confirmed, and no time heals it where nodes no longer have the state of then. */
export const tellUnshown = (
  { chain, logger, shown: { toldOf } }: Turn,
  tip: Tip,
  payments: readonly Payment[],
): void => {
  const late = payments.filter(({ blockHeight }) => tip.height - (blockHeight ?? tip.height) >= BLOCKS);
  const fresh = late.filter(({ id }) => !toldOf.has(id));
  const [first] = fresh;
  if (!first) return;
  if (toldOf.size > REMEMBERED) toldOf.clear();
  for (const { id } of fresh) toldOf.add(id);
  logger.error(
    {
      ...{ alert: 'chain_payment_unshown', chain: chain.coin, payments: fresh.length },
      ...{ txid: first.txid, height: first.blockHeight, agree: chain.agree },
    },
    'too few nodes show a payment in its block, and it is not confirmed: it takes as many that keep past state as have to agree',
  );
};
