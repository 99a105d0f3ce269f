export { startUtxoChain, type UtxoChain } from './utxo-chain.ts';
export type { Signed } from './wallet.ts';
