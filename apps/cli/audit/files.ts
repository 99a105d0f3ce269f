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

type Line = { readonly number: number; readonly text: string };

async function* linesOf(file: string): AsyncGenerator<Line> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() !== '') yield { number, text };
  }
}

/** With nothing beside it, which no seal is over. */
const isHead = (value: unknown): value is Head => {
  if (typeof value !== 'object' || value === null) return false;
  const { stream, revision, hash, ...others } = Object(value) as Record<string, unknown>;
  const fits = typeof stream === 'string' && Number.isSafeInteger(revision) && typeof hash === 'string';
  return fits && Object.keys(others).length === 0;
};

const headIn = ({ number, text }: Line, file: string): Head => {
  const place = `line ${number} of ${file}`;
  const head = parsed(text, place);
  if (!isHead(head)) throw usage(`${place} does not say where a history ends: {"stream":…,"revision":…,"hash":…}`);
  return head;
};

async function* headsIn(file: string): AsyncGenerator<Head> {
  let first = true;
  for await (const line of linesOf(file)) {
    if (!first) yield headIn(line, file);
    first = false;
  }
}

/** A path that is none, a directory, a file of somebody else. */
const isOfFile = (error: unknown): boolean => 'syscall' in Object(error);

/** A seal alone, or with the ends of all histories behind it, a line each. */
export const readSeal = (file: string): ReturnType<typeof sealIn> =>
  sealIn(file).catch((error: unknown) => {
    throw isOfFile(error) ? usage(`${file} cannot be read`) : error;
  });

const sealIn = async (file: string): Promise<{ seal: Seal; heads: AsyncIterable<Head> | undefined }> => {
  const lines: string[] = [];
  for await (const { text } of linesOf(file)) {
    lines.push(text);
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
