import type { ChainBlock, ChainOutput, ChainTransaction } from '../chain-node.ts';
import { hashedTwice, inWords } from './hashed.ts';
import { createReader, type Reader } from './reader.ts';
import { scriptBehindToken } from './token.ts';

const WITNESS = 0x01;
/** Litecoin: a transaction of the extension block, or the one of a block that says what came out of it. */
const MWEB = 0x08;

const FINAL = 0xfffffffe;
const NOBODY = '0'.repeat(64);

type Input = { readonly outpoint: string | undefined; readonly replaceable: boolean };

const readInput = (reader: Reader): Input => {
  const [txid, index] = [reader.hash(), reader.u32()];
  reader.take(reader.count());
  return { outpoint: txid === NOBODY ? undefined : `${txid}:${index}`, replaceable: reader.u32() < FINAL };
};

const readOutput = (reader: Reader, vout: number, { hasTokens }: Format): ChainOutput => {
  const [amount, bytes] = [reader.u64(), reader.take(reader.count())];
  return { amount, script: (hasTokens ? scriptBehindToken(bytes) : bytes).toString('hex'), vout };
};

const times = <T>(count: number, read: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => read(nth));

const isSpecial = (version: Buffer, { hasSpecialTransactions }: Format): boolean =>
  hasSpecialTransactions === true && version.readUInt16LE(0) >= 3 && version.readUInt16LE(2) !== 0;

/** Of a special kind none has witnesses: what looks like their mark pays, and spends nothing (an Asset Unlock). */
const readFlags = (reader: Reader, version: Buffer, format: Format): number => {
  if (isSpecial(version, format) || reader.peek(0) !== 0 || reader.peek(1) === 0) return 0;
  reader.u8();
  return reader.u8();
};

const TRUC = 3;

const skipWitness = (reader: Reader, inputs: number): void => {
  for (let nth = 0; nth < inputs; nth += 1)
    for (let items = reader.count(); items > 0; items -= 1) reader.take(reader.count());
};

export type Format = {
  /** Dash has them. */
  readonly hasSpecialTransactions?: boolean;
  /** Bitcoin Cash: an output may carry some before its script. */
  readonly hasTokens?: boolean;
  /** Marscoin: another chain's work may stand for a block's own. */
  readonly isMergeMined?: boolean;
  /** Bitcoin: by BIP-431 one of version 3 can be replaced, whatever its inputs say. */
  readonly hasTruc?: boolean;
  /** Litecoin: its node names what belongs to the extension block alone otherwise than its bytes do. */
  readonly hasExtension?: boolean;
};

/** In a block the extension's part is cut off, and a zero stands in its place; alone it goes on up to the lock time. */
const skipExtension = (reader: Reader, isAlone: boolean): void => {
  if (isAlone) reader.take(reader.left() - 4);
  else reader.u8();
};

const readTransaction = (reader: Reader, format: Format, isAlone: boolean): ChainTransaction => {
  const begin = reader.position();
  const version = reader.take(4);
  const flags = readFlags(reader, version, format);
  const from = reader.position();
  const inputs = times(reader.count(), () => readInput(reader));
  const outputs = times(reader.count(), (vout) => readOutput(reader, vout, format));
  const middle = reader.since(from);
  if (flags & WITNESS) skipWitness(reader, inputs.length);
  if (flags & MWEB) skipExtension(reader, isAlone);
  const behind = reader.position();
  reader.u32();
  // Part of what its id is made of.
  if (isSpecial(version, format)) reader.take(reader.count());
  const whole = reader.since(begin);
  return {
    txid: inWords(hashedTwice(version, middle, reader.since(behind))),
    inputs: inputs.flatMap(({ outpoint }) => (outpoint === undefined ? [] : [outpoint])),
    outputs,
    replaceable: (format.hasTruc && version.readUInt32LE() === TRUC) || inputs.some(({ replaceable }) => replaceable),
    isPegOut: !isAlone && (flags & MWEB) !== 0,
    // What has no inputs at all is another thing: that may be mined again.
    isCoinbase: inputs.some(({ outpoint }) => outpoint === undefined),
    senders: [],
    raw: () => whole.toString('hex'),
  };
};

export const parseTransaction = (hex: string, format: Format = {}): ChainTransaction =>
  readTransaction(createReader(Buffer.from(hex, 'hex')), format, true);

/** Alone: in a block that part is cut off. */
export const isOfExtension = (hex: string, format: Format): boolean => {
  const reader = createReader(Buffer.from(hex, 'hex'));
  return format.hasExtension === true && (readFlags(reader, reader.take(4), format) & MWEB) !== 0;
};

/** Of what has a part elsewhere too its bytes make the name, as of any other: only what pays nobody here has another. */
const isNamedThere = (hex: string, format: Format, { inputs, outputs }: ChainTransaction): boolean =>
  inputs.length === 0 && outputs.length === 0 && isOfExtension(hex, format);

/** As a text, twice that in characters. What is parsed may take ten times as much, and the thread for as long. */
const checkLength = (hex: string, mostBytes: number): void => {
  const bytes = hex.length / 2;
  if (bytes > mostBytes) throw new RangeError(`it has ${bytes} bytes, and ${mostBytes} are read at most`);
};

/** The one that was asked for: a node that sends another has not sent it. */
export const parseNamed = (txid: string, hex: string, format: Format, mostBytes: number): ChainTransaction => {
  checkLength(hex, mostBytes);
  const transaction = parseTransaction(hex, format);
  if (transaction.txid !== txid && !isNamedThere(hex, format, transaction))
    throw new RangeError(`its bytes are those of ${transaction.txid}`);
  return { ...transaction, txid };
};

const MERGE_MINED = 0x100;
const HASH_BYTES = 32;
const HEADER_BYTES = 80;

const skipBranch = (reader: Reader): void => {
  reader.take(HASH_BYTES * reader.count());
  reader.u32();
};

/** The other chain's header, with what leads from there to this block: its coinbase and two branches of hashes. */
const skipOthersWork = (reader: Reader, format: Format): void => {
  readTransaction(reader, format, false);
  reader.hash();
  skipBranch(reader);
  skipBranch(reader);
  reader.take(HEADER_BYTES);
};

/** Whatever follows the last transaction belongs to an extension, and pays nobody here. */
export const parseBlock = (hash: string, hex: string, format: Format = {}): ChainBlock => {
  const reader = createReader(Buffer.from(hex, 'hex'));
  const version = reader.u32();
  const parent = reader.hash();
  reader.take(HASH_BYTES);
  const time = reader.u32();
  reader.take(8);
  if (format.isMergeMined && version & MERGE_MINED) skipOthersWork(reader, format);
  return { hash, parent, time, transactions: times(reader.count(), () => readTransaction(reader, format, false)) };
};
