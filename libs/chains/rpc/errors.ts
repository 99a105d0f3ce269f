import { sentenceOf } from './words.ts';

/** The node did not answer, or not in a way that a node does. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable';

  constructor(message: string, options?: ErrorOptions) {
    super(sentenceOf(message), options);
  }
}

/** It sends more than may be read at once. */
export class AnswerTooLarge extends NodeUnreachable {}

/** It answers not all of what it was asked at once, as where that is more than it takes: of fewer it may answer each. */
export class TooManyAtOnce extends NodeUnreachable {}

/** The node answered that it will not. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused';
  readonly code: number;
  /** In its own words. */
  readonly said: string;

  constructor(method: string, code: number, said: string) {
    const words = sentenceOf(said);
    super(`${method}: ${words} (${code})`);
    this.code = code;
    this.said = words;
  }
}

const METHOD_NOT_FOUND = -32601;

/** By its code: Besu has one of its own for what is not switched on. */
const LACKING = new Set([METHOD_NOT_FOUND, -32604]);
/** And in words alone, which say it of the method, and not of what it was asked about. */
const LACKS =
  /^the method \S+ (?:does not exist|is not (?:available|found|supported))|^method not (?:found|enabled|supported)|^command unimplemented/i;

export const lacksMethod = (error: unknown): boolean =>
  error instanceof NodeRefused && (LACKING.has(error.code) || LACKS.test(error.said));
