import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { forked } from '../webhooks/keep-running.ts';

/** Runs a program that tells when it begins, and kills it so much later; false when it had ended well before. */
export const killedAfter = async (file: string, argument: object, milliseconds: number): Promise<boolean> => {
  const child = forked(new URL(file, import.meta.url).href, argument);
  const said = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'message'), ended]);
  await Promise.race([delay(milliseconds, undefined, { ref: false }), ended]);
  child.kill('SIGKILL');
  const [code, signal] = await ended;
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`it ended (${code ?? signal}): ${await said}`);
  return signal === 'SIGKILL';
};
