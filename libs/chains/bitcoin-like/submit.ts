import type { Submitted } from '../chain-node.ts';
import { unless } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused, NodeUnreachable } from '../rpc/errors.ts';

/** What a node says of a transaction that it has already; btcd's kin say of a rival that its coins are “already spent”. */
const KNOWN = /already(?! spent)|in (?:block chain|utxo set)/i;

const [FEE, BURN] = [/fee exceeds maximum|absurdly-high-fee/i, /maxburnamount/i];

/** Beside the transaction. A node that knows no argument is sent none: what it refuses names the bound that it has. */
type Lifted = readonly (number | boolean)[];
const NOTHING: Lifted = [];
const ANY_FEE: Lifted = [0];
const ANY_FEE_AND_BURN: Lifted = [0, 21_000_000];
/** Where a bound has no rate, and is there or not. */
const HIGH_FEES: Lifted = [true];

/** What lifts the bound by which it was refused; undefined where nothing does. */
const lifting = (refusal: string, lifted: Lifted): Lifted | undefined => {
  if (BURN.test(refusal)) return lifted === ANY_FEE_AND_BURN ? undefined : ANY_FEE_AND_BURN;
  if (FEE.test(refusal)) return lifted === NOTHING ? ANY_FEE : undefined;
  return lifted === ANY_FEE ? HIGH_FEES : undefined;
};

/** Bounds that keep somebody from a mistake with his own money are none of a payment that others sent. */
const send = async (client: RpcClient, raw: string, lifted: Lifted): Promise<Submitted> => {
  try {
    await client.call('sendrawtransaction', raw, ...lifted);
    return { isIn: true };
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error;
    const { message: reason } = error;
    if (KNOWN.test(reason)) return { isIn: true };
    const next = lifting(reason, lifted);
    if (next === undefined) return { isIn: false, reason };
    const again = await send(client, raw, next);
    return again.isIn ? again : { isIn: false, reason };
  }
};

/** One that tells no such thing has read it. */
const isReadingMempool = async ({ call }: RpcClient): Promise<boolean> => {
  const told = await unless(
    (error) => error instanceof NodeRefused,
    call<{ readonly loaded?: unknown } | null>('getmempoolinfo'),
  );
  return told?.loaded === false;
};

/** One that was restarted answers before it has read its mempool again, and refuses what leans on something in there. */
export const submitTo = async (client: RpcClient, raw: string): Promise<Submitted> => {
  const submitted = await send(client, raw, NOTHING);
  if (!submitted.isIn && (await isReadingMempool(client)))
    throw new NodeUnreachable(`${client.name} begins: it has not read its mempool again yet`);
  return submitted;
};
