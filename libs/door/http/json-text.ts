import { httpErrors, type ShownError } from '../errors/index.ts';
import { MAX_DEPTH, MAX_NAMES, MAX_PARTS } from './json-limits.ts';

/** Less is parsed before its counting would pay. */
const LARGE_BYTES = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

const isOpening = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d;

const isEscaped = (bytes: Buffer, at: number): boolean => {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
};

/** Where the text ends that begins there; the end of all bytes where it does not. */
const endOfText = (bytes: Buffer, start: number): number => {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end === -1 ? bytes.length : end;
};

/** What is met outside of texts, in turn. */
const createCount = () => {
  const names: number[] = [];
  let parts = 0;
  const open = (): ShownError | undefined => {
    parts += 1;
    if (names.push(0) > MAX_DEPTH) return httpErrors.tooDeep(MAX_DEPTH);
    return parts > MAX_PARTS ? httpErrors.tooManyParts(MAX_PARTS) : undefined;
  };
  const name = (): ShownError | undefined => {
    const count = (names.pop() ?? 0) + 1;
    names.push(count);
    return count > MAX_NAMES ? httpErrors.tooManyNames(MAX_NAMES) : undefined;
  };
  return (byte: number | undefined): ShownError | undefined => {
    if (isOpening(byte)) return open();
    if (isClosing(byte)) names.pop();
    return byte === COLON ? name() : undefined;
  };
};

/**
 * A megabyte of small parts takes a tenth of a second to parse, which whoever waits beside it feels, and on some routes
 * nobody is known before it. So what no body of ours has is counted in the bytes of a large one first.
 */
export const unfitText = (bytes: Buffer): ShownError | undefined => {
  if (bytes.length < LARGE_BYTES) return undefined;
  const count = createCount();
  let refusal: ShownError | undefined;
  for (let at = 0; at < bytes.length && !refusal; at += 1) {
    if (bytes[at] === QUOTE) at = endOfText(bytes, at);
    else refusal = count(bytes[at]);
  }
  return refusal;
};
