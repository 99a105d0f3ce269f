import { scriptOf } from '#addresses';
import type { Rpc } from '../nodes/rpc.ts';

/** The node's own wallet pays: what a player's would do. */

const littleEndian = (value: bigint, bytes: number): string =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))).toString('hex');

/**
 * Deposits have addresses of the main network, which a wallet in regtest mode refuses, though what pays to them is the
 * same on every network: so the output is written by hand, and the wallet adds the rest.
 */
const outputAlone = (script: string, units: bigint): string =>
  ['02000000', '00', '01', littleEndian(units, 8), littleEndian(BigInt(script.length / 2), 1), script, '00000000'].join(
    '',
  );

const signAndSend = async (rpc: Rpc, hex: string): Promise<string> => {
  const signed = await rpc<{ hex: string }>('signrawtransactionwithwallet', hex);
  return rpc('sendrawtransaction', signed.hex);
};

export const pay = async (rpc: Rpc, address: string, coins: number): Promise<string> => {
  const script = scriptOf('BTC', address);
  if (!script) throw new Error(`${address} is no address of Bitcoin`);
  const units = BigInt(Math.round(coins * 1e8));
  const options = { replaceable: true, fee_rate: 5 };
  const funded = await rpc<{ hex: string }>('fundrawtransaction', outputAlone(script, units), options, false);
  return signAndSend(rpc, funded.hex);
};

const HIGHER_FEE = 20_000;

type Spent = { readonly vin: readonly { txid: string; vout: number }[]; readonly vout: readonly { value: number }[] };

/** Spends the same coins again, back to the wallet, for a higher fee. */
export const doubleSpend = async (rpc: Rpc, txid: string): Promise<string> => {
  const { vin, vout } = await rpc<Spent>('getrawtransaction', txid, 1);
  const units = vout.reduce((sum, { value }) => sum + Math.round(value * 1e8), 0) - HIGHER_FEE;
  const back = { [await rpc<string>('getnewaddress')]: (units / 1e8).toFixed(8) };
  return signAndSend(rpc, await rpc('createrawtransaction', vin, [back]));
};

export const mine = async (rpc: Rpc, blocks: number): Promise<readonly string[]> =>
  rpc('generatetoaddress', blocks, await rpc('getnewaddress'));

/** Gives up the last blocks for a longer branch of empty ones: what they held waits again. */
export const reorganise = async (rpc: Rpc, depth: number): Promise<readonly string[]> => {
  const height = await rpc<number>('getblockcount');
  await rpc('invalidateblock', await rpc('getblockhash', height - depth + 1));
  const branch: string[] = [];
  while (branch.length <= depth) {
    const { hash } = await rpc<{ hash: string }>('generateblock', await rpc('getnewaddress'), []);
    branch.push(hash);
  }
  return branch;
};

/** A wallet with coins that can be spent at once. */
export const fund = async (rpc: Rpc): Promise<void> => {
  await rpc('createwallet', 'player');
  await mine(rpc, 110);
};
