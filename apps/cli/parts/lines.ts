import { unreachable } from './exit.ts';

/** A proxy may end properly what the service behind it did not. */
export const cutOff = () =>
  unreachable(
    'the service, or what is in front of it, broke its answer off: what came is not whole (one of an older release says no end)',
  );

/** What is no object was cut off within. */
export const sentLine = <T extends object>(text: string): T => {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null) return line as T;
  } catch {}
  throw cutOff();
};

/** Of text as it comes in, the lines of each part; what follows the last end of a line is one too. */
export async function* linesIn(parts: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}
