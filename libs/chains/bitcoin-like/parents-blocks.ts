import type { Call, RpcClient } from '../rpc/client.ts';
import { partsOf } from './senders.ts';

type Heights = ReadonlyMap<string, number>;

/** The transaction that spends them, in a block. */
export type SpentIn = { readonly txid: string; readonly blockHash: string };

type Spending = {
  readonly vin?: readonly { readonly txid?: string; readonly prevout?: { readonly height?: unknown } }[];
};

const isHeight = (told: unknown): told is number => Number.isSafeInteger(told);

/** Where it keeps how that block is undone. */
const heightsBySpending = async ({ batch }: RpcClient, { txid, blockHash }: SpentIn): Promise<Heights> => {
  const [spending] = await batch<Spending | null>([['getrawtransaction', txid, 2, blockHash]]);
  return new Map(
    (spending?.vin ?? []).flatMap(({ txid: parent, prevout }) =>
      parent !== undefined && isHeight(prevout?.height) ? [[parent, prevout.height] as const] : [],
    ),
  );
};

type Unspent = { readonly bestblock?: unknown; readonly confirmations?: unknown };

/** Where one of what each of them made is unspent. */
const heightsByUnspent = async ({ batch }: RpcClient, outpoints: readonly string[]): Promise<Heights> => {
  const parts = outpoints.map(partsOf);
  const unspent = await batch<Unspent | null>(parts.map(({ txid, vout }): Call => ['gettxout', txid, vout, false]));
  const heads: readonly unknown[] = [...new Set(unspent.flatMap((each) => (each ? [each.bestblock] : [])))];
  const headers = await batch<{ height?: unknown } | null>(heads.map((head): Call => ['getblockheader', head]));
  const above = new Map(heads.map((head, nth) => [head, headers[nth]?.height]));
  return new Map(
    parts.flatMap(({ txid }, nth) => {
      const { bestblock, confirmations } = unspent[nth] ?? {};
      const head = above.get(bestblock);
      return isHeight(head) && isHeight(confirmations) ? [[txid, head - confirmations + 1] as const] : [];
    }),
  );
};

/**
 * In which block the node says that each transaction is that made one of these: without an index it gives one from there
 * alone. No more than where to look for its bytes, which say themselves whether they are those.
 */
export const parentsBlocks = async (
  client: RpcClient,
  outpoints: readonly string[],
  spentIn: SpentIn | undefined,
): Promise<ReadonlyMap<string, string>> => {
  if (outpoints.length === 0) return new Map();
  const heights = await (spentIn ? heightsBySpending(client, spentIn) : heightsByUnspent(client, outpoints));
  const distinct = [...new Set(heights.values())];
  const hashes = await client.batch<unknown>(distinct.map((height): Call => ['getblockhash', height]));
  const hashAt = new Map(distinct.map((height, nth) => [height, hashes[nth]]));
  return new Map(
    [...heights].flatMap(([txid, height]) => {
      const hash = hashAt.get(height);
      return typeof hash === 'string' ? [[txid, hash] as const] : [];
    }),
  );
};
