import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A tool of the machine that this engine cannot do without; a test runner shows the message as it is. */
export class MissingTool extends Error {
  constructor(tool: string, remedy: string) {
    super(`Kafka cannot be started: ${tool}. ${remedy}, or set KAFKA_BROKERS to a running broker`);
    this.name = 'MissingTool';
  }
}

/** What a command printed, on either channel. */
export const outputOf = async (command: string, args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await run(command, [...args], { maxBuffer: 16_000_000 });
  return stdout + stderr;
};

const versionOf = (command: string, remedy: string): Promise<string> =>
  outputOf(command, ['-version']).catch(() => {
    throw new MissingTool(`"${command}" is missing or does not run`, remedy);
  });

const JAVA = 'Install a Java runtime of version 17 or later';

export const requireJava = async (): Promise<void> => {
  const told = await versionOf('java', JAVA);
  const [, major = '0'] = /version "(\d+)/.exec(told) ?? [];
  if (Number(major) < 17) throw new MissingTool(`Java is of version ${major}`, JAVA);
};

export const requireMaven = async (): Promise<void> => {
  await versionOf('mvn', 'Install Apache Maven of version 3.8 or later');
};

/** What keeps this machine from starting Kafka, in a sentence; undefined when nothing does. */
export const missingKafkaTool = async (): Promise<string | undefined> => {
  try {
    await requireJava();
    await requireMaven();
    return undefined;
  } catch (error) {
    if (error instanceof MissingTool) return error.message;
    throw error;
  }
};
