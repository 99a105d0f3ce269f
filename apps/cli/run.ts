import { CommanderError } from 'commander';
import { shownSafely } from '#platform/shown-text';
import { type ExitCode, exit, Failure, isFull } from './parts/exit.ts';
import { storesAway } from './parts/stores-away.ts';
import { programOf } from './program.ts';

const tell = (message: string): void => {
  for (const line of message.split('\n')) process.stderr.write(`cointill: ${shownSafely(line)}\n`);
};

const codeOf = async (error: unknown, signal: AbortSignal): Promise<ExitCode> => {
  if (signal.aborted) return exit.interrupted;
  // commander has told help, version and what is wrong by itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.usage;
  if (error instanceof Failure) {
    tell(error.message);
    return error.code;
  }
  const away = await storesAway(error);
  if (away !== undefined) {
    tell(away);
    return exit.unreachable;
  }
  if (isFull(error)) tell(`what it makes cannot be written: ${error.message}`);
  else tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exit.fault;
};

/** The first Ctrl-C lets the command clean up, the second does not wait for that. */
const untilInterrupted = (): { readonly signal: AbortSignal; readonly end: () => void } => {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exit.interrupted);
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, interrupt);
  return {
    signal: controller.signal,
    end: () => {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt);
    },
  };
};

/**
 * `cointill audit verify | head` closes the pipe in the middle, which is nobody's fault, and changes nothing of what was
 * found: the command ends by itself, with its own code. Whatever else, no more can be printed.
 */
const endUnlessItsReaderLeft = (error: NodeJS.ErrnoException): void => {
  if (error.code === 'EPIPE') return;
  tell(`what it prints cannot be written: ${error.message}`);
  process.exit(exit.fault);
};

/** A pipe takes what it is given later: whoever ends the process would cut that off. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

export const runCli = async (argv: readonly string[]): Promise<ExitCode> => {
  const { signal, end } = untilInterrupted();
  process.stdout.on('error', endUnlessItsReaderLeft);
  // Nobody is left to be told: how it went is in the code alone.
  process.stderr.on('error', () => undefined);
  let code: ExitCode = exit.done;
  try {
    const program = programOf({ signal, ended: (how) => (code = how) });
    await program.parseAsync(argv, { from: 'user' });
    return signal.aborted ? exit.interrupted : code;
  } catch (error) {
    return await codeOf(error, signal);
  } finally {
    await Promise.all([written(process.stdout), written(process.stderr)]);
    end();
  }
};
