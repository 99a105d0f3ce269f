import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { shownSafely } from '#platform/shown-text';
import { usage } from './exit.ts';

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

const muted = new Writable({ write: (_chunk, _encoding, done) => done() });

const asked = async (question: string, hidden: boolean, signal: AbortSignal): Promise<string> => {
  // Before the question: from here on the terminal itself echoes nothing, however fast somebody types.
  const lines = createInterface({ input: process.stdin, output: hidden ? muted : process.stderr, terminal: true });
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    process.stderr.write(shownSafely(question));
    return (await lines.question('', { signal })).trim();
  } finally {
    lines.close();
    if (hidden) process.stderr.write('\n');
  }
};

/** What nobody should read over a shoulder: from the terminal without an echo, or the first line of stdin. */
export const askHidden = async (question: string, signal: AbortSignal): Promise<string> => {
  if (isTerminal()) return asked(question, true, signal);
  for await (const line of createInterface({ input: process.stdin, signal })) return line.trim();
  return '';
};

/** Nothing destructive happens by itself: a word is typed, or --yes was given. */
export const confirmed = async (what: string, word: string, signal: AbortSignal): Promise<void> => {
  if (!isTerminal()) throw usage(`${what}: say --yes where nobody can be asked`);
  const typed = await asked(`${what}. Type "${word}" to go on: `, false, signal);
  if (typed !== word) throw usage(`not "${word}": nothing was done`);
};
