import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Head, Seal } from '#audit';
import { usage } from '../parts/exit.ts';

const parsed = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${file} is no JSON`);
  }
};

async function* linesOf(file: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) if (line.trim() !== '') yield line;
}

async function* headsIn(file: string): AsyncGenerator<Head> {
  let first = true;
  for await (const line of linesOf(file)) {
    if (!first) yield parsed(line, file) as Head;
    first = false;
  }
}

/** A seal alone, or with the ends of all histories behind it, a line each. */
export const readSeal = async (file: string): Promise<{ seal: Seal; heads: AsyncIterable<Head> | undefined }> => {
  const lines: string[] = [];
  for await (const line of linesOf(file)) {
    lines.push(line);
    if (lines.length > 1) break;
  }
  const [first = '', second] = lines;
  const isList = second?.includes('"stream"') === true && first.includes('"signature"');
  const seal = parsed(isList ? first : await readFile(file, 'utf8'), file) as Seal;
  if (typeof seal !== 'object' || seal === null || !('signature' in seal)) throw usage(`${file} is no seal`);
  return { seal, heads: isList ? headsIn(file) : undefined };
};

export const readJson = async (file: string): Promise<unknown> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw usage(`${file} cannot be read`);
  return parsed(text, file);
};
