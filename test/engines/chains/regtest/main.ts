import { missingNode } from '../nodes/index.ts';
import { rpcAt } from '../nodes/rpc.ts';
import { begin } from './begin.ts';
import { doubleSpend, mine, pay, reorganise } from './coins.ts';
import { ask, findPlace } from './place.ts';

/** `npm run regtest` begins; with a command it does something to what runs. */
const [command, given = ''] = process.argv.slice(2);

const node = async () => {
  const { username, password, origin } = new URL((await findPlace()).nodeUrl);
  return rpcAt(origin, `${username}:${password}`);
};

const payDeposit = async (id: string): Promise<string> => {
  const { url, key } = await findPlace();
  const deposit = await ask<{ wallet: string; crypto_amount: number }>(`${url}/casino/deposit/${id}`, 'GET', { key });
  return pay(await node(), deposit.wallet, deposit.crypto_amount);
};

/** Screening is somebody else's word: here it always passes. */
const screen = async (id: string): Promise<string> => {
  const { url, engineToken } = await findPlace();
  const at = new Date().toISOString();
  const signal = { deposit_id: Number(id), at };
  const signals = [
    { ...signal, signal_id: `regtest-kyt-${id}`, type: 'kyt.completed', status: 'passed', risk_score: '0' },
    { ...signal, signal_id: `regtest-ofac-${id}`, type: 'ofac.completed', status: 'clear' },
  ];
  return JSON.stringify(await ask(`${url}/engine/signals`, 'POST', { token: engineToken, body: { signals } }));
};

const commands: Readonly<Record<string, (given: string) => Promise<string>>> = {
  pay: payDeposit,
  mine: async (blocks) => (await mine(await node(), Number(blocks || 1))).join('\n'),
  reorganise: async (depth) => (await reorganise(await node(), Number(depth || 1))).join('\n'),
  'double-spend': async (txid) => doubleSpend(await node(), txid),
  screen,
};

const run = async (): Promise<void> => {
  if (command === undefined) {
    const missing = await missingNode('bitcoind');
    if (missing !== undefined) throw new Error(missing);
    return begin();
  }
  const act = commands[command];
  if (!act) throw new Error(`there is no '${command}' here: ${Object.keys(commands).join(', ')}, or nothing to begin`);
  console.log(await act(given));
};

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`cointill: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  },
);
