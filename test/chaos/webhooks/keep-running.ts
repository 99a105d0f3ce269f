import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Orders } from './orders.ts';

const BEFORE_THE_NEXT_LIFE_MS = 100;

/** Lives in a row that ended before they had started: no server stays away so long here. */
const FRUITLESS = 30;

export type Kept = {
  /** Resolves while a life is under way that has started. */
  readonly ready: () => Promise<void>;
  /** kill -9, whatever it is doing; resolves when it is dead, and the next life begins by itself. */
  readonly kill: () => Promise<void>;
  /** Lives that ended by themselves after they had started: there should be none. */
  readonly gaveUp: readonly string[];
  readonly stop: () => Promise<void>;
};

export const forked = (file: string, argument: object): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(argument)], {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });

/** Whether it had started, and how it ended when nobody killed it. */
const liveOnce = async (life: ChildProcess, onReady: () => void) => {
  let started = false;
  life.once('message', () => {
    started = true;
    onReady();
  });
  const said = life.stderr ? text(life.stderr) : Promise.resolve('');
  const [code, signal] = await once(life, 'exit');
  return { started, gaveUp: signal === 'SIGKILL' ? undefined : `ended (${code ?? signal}): ${await said}` };
};

const newStart = (): PromiseWithResolvers<void> => {
  const start = Promise.withResolvers<void>();
  start.promise.catch(() => undefined);
  return start;
};

/** A process that is started again whenever it ends, as a process manager would. */
export const keepRunning = (file: string, orders: Orders): Kept => {
  const gaveUp: string[] = [];
  let child: ChildProcess | undefined;
  let life: Promise<void> | undefined;
  let [start, fruitless, over] = [newStart(), 0, false];

  const live = async (): Promise<void> => {
    child = forked(file, orders);
    const end = await liveOnce(child, () => start.resolve());
    fruitless = end.started ? 0 : fruitless + 1;
    if (fruitless === FRUITLESS) start.reject(new Error(`${file} ${end.gaveUp}`));
    if (end.started) start = newStart();
    if (end.started && end.gaveUp) gaveUp.push(`${file} ${end.gaveUp}`);
  };

  const run = async (): Promise<void> => {
    while (!over) {
      life = live();
      await life;
      await delay(BEFORE_THE_NEXT_LIFE_MS);
    }
  };
  const running = run();

  const kill = async (): Promise<void> => {
    child?.kill('SIGKILL');
    await life;
  };
  return {
    ready: () => start.promise,
    kill,
    gaveUp,
    stop: async () => {
      over = true;
      await kill();
      await running;
    },
  };
};
