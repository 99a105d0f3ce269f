import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Refusal, root } from '../lib/project.mjs';

const execute = promisify(execFile);

const minutes = 60_000;
const kept = 30;

const ended = new AbortController();

/** A signal ends what runs now and all that would follow, but not what takes things down again. */
export const endOnSignals = () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ended.abort());
};

/** What a command printed; one that fails or takes too long ends the run with its last lines. */
export const outputOf = async (program, args, { env = {}, withinMs = 10 * minutes, takesDown = false } = {}) => {
  const options = {
    ...{ cwd: root, env: { ...process.env, ...env }, timeout: withinMs, maxBuffer: 64_000_000 },
    ...(takesDown ? {} : { signal: ended.signal }),
  };
  try {
    return (await execute(program, args, options)).stdout.trim();
  } catch (error) {
    if (error.name === 'AbortError') throw new Refusal('ended by a signal');
    const why = error.killed ? `not done within ${withinMs / 1_000} s` : `exit code ${error.code}`;
    const said = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim().split('\n').slice(-kept).join('\n');
    // Not the arguments: they may carry the address of somebody's registry.
    throw new Refusal(`${program} ${args[0] ?? ''}: ${why}\n${said}`);
  }
};

/** Whether a command that asks for something succeeds. */
export const succeeds = (program, args, options = { withinMs: 30_000 }) =>
  outputOf(program, args, options).then(
    () => true,
    () => false,
  );

export const say = (line) => console.log(`docker: ${line}`);
