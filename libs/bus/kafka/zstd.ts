import { Decompress } from 'fzstd';
import { BeyondBound, MOST_OF_BATCH } from './bound.ts';

/** What was compressed is not as it was written; nothing of it can be told. */
class BrokenFrame extends Error {
  constructor(where: string) {
    super(`a Zstandard frame ${where}`);
  }
}

const MAGIC = 0xfd2f_b528;
/** The last four bits of such a mark are anybody's. */
const SKIPPED = 0x184d_2a5;

const REPEATED = 1;
const COMPRESSED = 2;
const MOST_OF_BLOCK = 131_072;
const LEAST_WINDOW = 1_024;

/** The reader moves all of its window for every block; past this, small blocks would keep it for minutes. */
const MOST_MOVED = 4_096 * 2_097_152;

type Header = {
  /** Undefined where all of the frame is its window. */
  readonly window: number | undefined;
  readonly declared: number | undefined;
  readonly bytes: number;
  readonly sumBytes: number;
};

type Blocks = { readonly most: number; readonly end: number };

const WINDOW_AT = 5;

const windowOf = (told: number): number => {
  const base = 2 ** (10 + (told >> 3));
  return base + (base / 8) * (told % 8);
};

const declaredAt = (frame: Buffer, at: number, bytes: number): number | undefined => {
  if (bytes === 0) return undefined;
  if (bytes === 8) return Number(frame.readBigUInt64LE(at));
  return frame.readUIntLE(at, bytes) + (bytes === 2 ? 256 : 0);
};

const readHeader = (frame: Buffer): Header => {
  const flags = frame.readUInt8(4);
  const isOnePiece = (flags >> 5) % 2 === 1;
  const declaredBytes = flags >> 6 === 0 ? Number(isOnePiece) : 2 ** (flags >> 6);
  const dictionaryBytes = [0, 1, 2, 4][flags % 4] ?? 0;
  const declaredFrom = WINDOW_AT + Number(!isOnePiece) + dictionaryBytes;
  return {
    window: isOnePiece ? undefined : windowOf(frame.readUInt8(WINDOW_AT)),
    declared: declaredAt(frame, declaredFrom, declaredBytes),
    bytes: declaredFrom + declaredBytes,
    sumBytes: (flags >> 2) % 2 === 1 ? 4 : 0,
  };
};

const walkBlocks = (frame: Buffer, from: number): Blocks => {
  let [at, most] = [from, 0];
  for (let isLast = false; !isLast; ) {
    const head = frame.readUIntLE(at, 3);
    const [kind, size] = [(head >> 1) % 4, head >> 3];
    isLast = head % 2 === 1;
    most += kind === COMPRESSED ? MOST_OF_BLOCK : size;
    at += 3 + (kind === REPEATED ? 1 : size);
  }
  return { most, end: at };
};

/** Nothing that is read looks back further than it is long: of a larger window the rest would only be held. */
const windowNeeded = ({ window, declared = 0 }: Header, { most }: Blocks): number =>
  window === undefined
    ? declared
    : Math.min(window, Math.max(LEAST_WINDOW, 2 ** Math.ceil(Math.log2(Math.min(most, MOST_OF_BATCH)))));

const withWindow = (frame: Buffer, header: Header, needed: number): Buffer => {
  if (header.window === undefined || header.window === needed) return frame;
  const smaller = Buffer.from(frame);
  smaller.writeUInt8((Math.log2(needed) - 10) * 8, WINDOW_AT);
  return smaller;
};

/** Counts what comes, not what was declared, and ends where it is too much. */
const createReader = () => {
  const blocks: Uint8Array[] = [];
  let [opened, moved] = [0, 0];
  const take = (block: Uint8Array, window: number): void => {
    opened += block.length;
    moved += window;
    if (opened > MOST_OF_BATCH) throw new BeyondBound();
    if (moved > MOST_MOVED) throw new BrokenFrame('is of too many blocks');
    blocks.push(block);
  };
  return {
    /** Returns where the next one begins. */
    read: (rest: Buffer): number => {
      const header = readHeader(rest);
      if ((header.declared ?? 0) > MOST_OF_BATCH) throw new BeyondBound();
      const blocksRead = walkBlocks(rest, header.bytes);
      const window = windowNeeded(header, blocksRead);
      const end = blocksRead.end + header.sumBytes;
      const stream = new Decompress((block) => take(block, window));
      stream.push(withWindow(rest.subarray(0, end), header, window), true);
      return end;
    },
    taken: (): Buffer => Buffer.concat(blocks),
  };
};

/** The contents of all frames; fzstd's own call for that takes as much memory as they ask for. */
export const decompressZstd = (bytes: Buffer): Buffer => {
  const reader = createReader();
  for (let rest = bytes; rest.length > 0; ) {
    const mark = rest.readUInt32LE(0);
    if (mark === MAGIC) rest = rest.subarray(reader.read(rest));
    else if (mark >>> 4 === SKIPPED) rest = rest.subarray(8 + rest.readUInt32LE(4));
    else throw new BrokenFrame('has another mark');
  }
  return reader.taken();
};
