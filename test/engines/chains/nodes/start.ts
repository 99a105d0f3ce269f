import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../support/free-port.ts';
import { guard } from '../../guard.ts';
import { type NodeName, programs } from './programs.ts';
import { type Rpc, rpcAt, untilAnswers } from './rpc.ts';

export type RunningNode = {
  readonly name: NodeName;
  /** As a setting names it, with its login. */
  readonly url: string;
  readonly rpc: Rpc;
  /** Of a new wallet that the node itself keeps. */
  readonly wallet: (name: string) => Promise<Rpc>;
  /** Where others of its kind reach it. */
  readonly peerPort: number;
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Stops it as SIGSTOP does: it answers nothing, and closes nothing. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
};

const LOGIN = 'tests:tests';

type Place = { readonly folder: string; readonly port: number; readonly peerPort: number };
type Kind = {
  readonly login?: string;
  readonly path?: string;
  readonly args: (place: Place) => readonly string[];
  readonly asks: string;
};

const likeCore = ({ folder, port, peerPort }: Place): readonly string[] => [
  ...[
    '-regtest',
    `-datadir=${folder}`,
    `-rpcport=${port}`,
    '-rpcuser=tests',
    '-rpcpassword=tests',
    '-rpcthreads=4',
    '-rpcworkqueue=256',
  ],
  // Two nodes of a test find each other; nobody else is called.
  ...[`-port=${peerPort}`, `-bind=127.0.0.1:${peerPort}`, '-dnsseed=0', '-discover=0', '-listenonion=0', '-upnp=0'],
  ...['-fallbackfee=0.0001', '-printtoconsole=0', '-dbcache=16', '-par=1', '-txindex=1'],
];

const kinds: Readonly<Record<NodeName, Kind>> = {
  bitcoind: {
    login: LOGIN,
    asks: 'getblockchaininfo',
    // Its default template leaves out most of what fills a block.
    args: (place) => [
      ...likeCore(place).filter((each) => each !== '-upnp=0'),
      ...['-blockmaxsize=3900000', '-blockmaxweight=3900000', '-natpmp=0', '-persistmempool=0'],
    ],
  },
  litecoind: { login: LOGIN, asks: 'getblockchaininfo', args: likeCore },
  btcd: {
    login: LOGIN,
    asks: 'getblockcount',
    args: ({ folder, port, peerPort }) => [
      ...['--regtest', `--datadir=${folder}`, `--logdir=${folder}`, `--configfile=${join(folder, 'btcd.conf')}`],
      ...[`--rpclisten=127.0.0.1:${port}`, `--listen=127.0.0.1:${peerPort}`, '--notls', '--txindex'],
      ...['--rpcuser=tests', '--rpcpass=tests', '--debuglevel=error', '--nodnsseed'],
    ],
  },
  anvil: {
    asks: 'eth_chainId',
    args: ({ port }) => [
      ...['--port', String(port), '--host', '127.0.0.1', '--silent', '--no-mining', '--order', 'fifo'],
      ...['--chain-id', '31337', '--accounts', '10'],
    ],
  },
  geth: {
    asks: 'eth_chainId',
    args: ({ folder, port, peerPort }) => [
      ...['--dev', '--datadir', folder, '--http', '--http.addr', '127.0.0.1', '--http.port', String(port)],
      ...['--http.api', 'eth,net,web3,debug,txpool,miner,dev', '--port', String(peerPort), '--nodiscover'],
      ...[
        '--authrpc.port',
        String(peerPort),
        '--ipcdisable',
        '--verbosity',
        '1',
        '--cache',
        '64',
        '--gcmode',
        'archive',
      ],
      ...['--rpc.allow-unprotected-txs', '--dev.period', '0'],
    ],
  },
};

const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** A node of its own in a folder of its own; it does not outlive this process. */
export const startNode = async (name: NodeName, more: readonly string[] = []): Promise<RunningNode> => {
  const { login, asks, args } = kinds[name];
  const [command = '', ...first] = await programs[name]();
  const folder = await mkdtemp(join(tmpdir(), `cointill-${name}-`));
  const place: Place = { folder, port: await freePort(), peerPort: await freePort() };
  const rpc = rpcAt(`http://127.0.0.1:${place.port}`, login);
  let child: ChildProcess | undefined;

  const run = async (): Promise<void> => {
    const started = spawn(command, [...first, ...args(place), ...more], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // What a node writes beside its folder goes there too.
      env: { ...process.env, HOME: folder },
    });
    let said = '';
    started.stderr.on('data', (text) => {
      said = `${said}${text}`.slice(-2_000);
    });
    child = started;
    guard(started);
    await untilAnswers(
      () => rpc(asks),
      () => isGone(started),
    ).catch((error: unknown) => {
      throw new Error(`${name} does not answer: ${error instanceof Error ? error.message : error}\n${said}`);
    });
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || isGone(child)) return;
    const gone = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await gone;
  };

  await run();
  return {
    name,
    url: `http://${login ? `${login}@` : ''}127.0.0.1:${place.port}`,
    rpc,
    wallet: async (wallet) => {
      await rpc('createwallet', wallet);
      return rpcAt(`http://127.0.0.1:${place.port}/wallet/${wallet}`, login);
    },
    peerPort: place.peerPort,
    kill: () => end('SIGKILL'),
    restart: run,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    stop: async () => {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
};
