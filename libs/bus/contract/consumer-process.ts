import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Recipe } from './bus-under-test.ts';

export type ChildOrders = {
  readonly recipe: Recipe;
  readonly topic: string;
  readonly group: string;
  readonly batchSize: number;
  /** From the first batch after so many handled messages on, it handles half of a batch and then hangs. */
  readonly hangAfter: number;
};

export type ChildReport = { readonly handled: readonly string[]; readonly hangs: boolean };

export type ConsumerProcess = {
  /** Ids that its handler had finished with. */
  readonly handled: readonly string[];
  /** Resolves when it hangs in the middle of a batch. */
  readonly hanging: Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly kill: () => Promise<void>;
};

const main = fileURLToPath(new URL('./consumer-process.main.ts', import.meta.url));

const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

/** A consumer in a process of its own, which can be killed without a chance to say goodbye. */
export const spawnConsumer = (orders: ChildOrders): ConsumerProcess => {
  const child = fork(main, [JSON.stringify(orders)], { execArgv: ['--conditions=source'], stdio: 'inherit' });
  const handled: string[] = [];
  const hanging = new Promise<void>((resolve, reject) => {
    child.on('message', (report: ChildReport) => {
      handled.push(...report.handled);
      if (report.hangs) resolve();
    });
    child.once('exit', (code, signal) => reject(new Error(`The consumer's process ended: ${code ?? signal}`)));
  });
  hanging.catch(() => undefined);
  return {
    handled,
    hanging,
    signal: (signal) => child.kill(signal),
    kill: () => killed(child),
  };
};
