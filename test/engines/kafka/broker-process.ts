import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { guard } from '../guard.ts';

export type BrokerProcess = {
  /** Resolves when the process is gone. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

/** What the broker says once it answers. */
const STARTED = 'Kafka Server started';
const KEPT_LINES = 40;

const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const untilStarted = (child: ChildProcess, stderr: NodeJS.ReadableStream): Promise<void> =>
  new Promise((resolve, reject) => {
    const tail: string[] = [];
    createInterface({ input: stderr }).on('line', (line) => {
      if (line.includes(STARTED)) resolve();
      tail.push(line);
      if (tail.length > KEPT_LINES) tail.shift();
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(new Error(`Kafka ended (${code ?? signal}) before it answered:\n${tail.join('\n')}`));
    });
  });

/** Runs a broker until it is ended; it does not outlive this process. */
export const runBroker = async (classPath: string, properties: string, heapMb: number): Promise<BrokerProcess> => {
  const child = spawn(
    'java',
    [
      `-Xmx${heapMb}m`,
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
      '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
      '-cp',
      classPath,
      'kafka.Kafka',
      properties,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  guard(child);
  await untilStarted(child, child.stderr);

  return {
    end: async (signal) => {
      if (isGone(child)) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
};
