import { BrokenHistory } from './errors.ts';
import { FIRST_LINK, type Link, linkAfterText, type StoredMetadata, uncovered } from './hash-chain.ts';
import type { JsonObject } from './json.ts';
import { type Patience, persist } from './persistence.ts';
import type { ProvenEvent, ProvenText, ReadByStreamOptions, RecordedEvent } from './port.ts';
import type { Position } from './position.ts';
import { recorded } from './recorded.ts';
import { resuming } from './resume.ts';
import { saidTwice } from './said-twice.ts';
import type { EventStore, EventText } from './store.ts';
import { asItIs, createUpcast, type KnownEvents, type Upcast } from './upcasting.ts';

const metadataIn = (text: string): StoredMetadata | undefined => {
  try {
    const metadata: unknown = JSON.parse(text);
    return typeof metadata === 'object' && metadata !== null ? (metadata as StoredMetadata) : undefined;
  } catch {
    return undefined;
  }
};

/** `place` is what all messages of the chain begin with, and what is told beside them anyhow. */
const withoutPlace = (message: string): string => message.replace(/^stream .*, revision \d+, event [^:]*: /, '');

/** A class, since one of them is made for every event: of an object with a getter the collector has twice as much. */
class Proven implements ProvenEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly id: string;
  readonly type: string;
  readonly hash: string | undefined;
  readonly problem: string | undefined;
  readonly #text: EventText;
  readonly #metadata: StoredMetadata | undefined;
  readonly #upcast: Upcast;

  constructor(text: EventText, metadata: StoredMetadata | undefined, problem: string | undefined, upcast: Upcast) {
    ({ stream: this.stream, revision: this.revision, position: this.position, id: this.id, type: this.type } = text);
    [this.hash, this.problem] = [metadata?.hash, problem];
    [this.#text, this.#metadata, this.#upcast] = [text, metadata, upcast];
  }

  get recordedAt(): Date {
    return this.#text.recordedAt();
  }

  event(): RecordedEvent {
    const { stream, revision, position, id, type, recordedAt } = this;
    const metadata = this.#metadata;
    if (metadata === undefined)
      throw new BrokenHistory(`stream ${stream}, revision ${revision}: its metadata cannot be read`);
    const data = JSON.parse(this.#text.data) as JsonObject;
    return this.#upcast(recorded({ stream, revision, position, id, type, recordedAt, data, metadata }));
  }

  asText(): ProvenText {
    const { stream, revision, position, id, type, problem } = this;
    const { data, metadata } = this.#text;
    return [stream, revision, position, id, type, data, metadata, this.recordedAt.getTime(), problem];
  }
}

/** Of the same events in another thread, which takes the proof from the first. */
export const provenAgain = (known?: KnownEvents): ((text: ProvenText) => ProvenEvent) => {
  const upcast = known ? createUpcast(known) : asItIs;
  return ([stream, revision, position, id, type, data, metadata, at, problem]) => {
    const text = { stream, revision, position, id, type, data, metadata, recordedAt: () => new Date(at) };
    return new Proven(text, metadataIn(metadata), problem, upcast);
  };
};

const PLAIN_NAME = /^\w{1,50}$/;
const TOLD_NAMES = 5;

/** Whoever put them there may have called them anything, and as many as he liked. */
const told = (names: readonly string[]): string =>
  [
    ...names.slice(0, TOLD_NAMES).map((name) => (PLAIN_NAME.test(name) ? name : JSON.stringify(name.slice(0, 50)))),
    ...(names.length > TOLD_NAMES ? [`and ${names.length - TOLD_NAMES} more`] : []),
  ].join(', ');

const uncoveredIn = (text: string, metadata: StoredMetadata): string | undefined => {
  const [names, twice] = [uncovered(metadata), saidTwice(text, metadata)];
  if (names.length > 0) return `its metadata has what no hash covers: ${told(names)}`;
  return twice.length === 0 ? undefined : `its metadata says twice: ${told(twice)}`;
};

/** No hash covers a place, which the store gives: it rises in every stream. */
export const outOfOrder = (before: Position | undefined, place: Position): string | undefined =>
  before !== undefined && place <= before
    ? 'it stands before the event before it in the order over all streams'
    : undefined;

/** What the log says of one event after another; a break is told once, and what follows it is judged by what is there. */
const createProver = (upcast: Upcast) => {
  let stream: string | undefined;
  let link: Link = FIRST_LINK;
  let before: Position | undefined;

  const problemOf = (text: EventText, metadata: StoredMetadata | undefined): string | undefined => {
    if (text.problem !== undefined) return text.problem;
    if (metadata === undefined) return 'its metadata cannot be read';
    const { stream: of, revision, id, type, data } = text;
    try {
      linkAfterText(link, { stream: of, revision, id, type, data, metadata });
      return uncoveredIn(text.metadata, metadata) ?? outOfOrder(before, text.position);
    } catch (error) {
      if (error instanceof BrokenHistory) return withoutPlace(error.message);
      throw error;
    }
  };

  return (text: EventText): ProvenEvent => {
    if (text.stream !== stream) [stream, link, before] = [text.stream, FIRST_LINK, undefined];
    const metadata = metadataIn(text.metadata);
    const problem = problemOf(text, metadata);
    link = { revision: text.revision + 1, hash: metadata?.hash ?? null };
    before = text.position;
    return new Proven(text, metadata, problem, upcast);
  };
};

export async function* provenPages(
  store: EventStore,
  patience: Patience,
  upcast: Upcast,
  { upTo, only }: ReadByStreamOptions,
): AsyncGenerator<readonly ProvenEvent[]> {
  const end = upTo ?? (await persist('head', store.head, patience, (cause) => cause));
  if (end === undefined) return;
  const prove = createProver(upcast);
  const open = (last: readonly EventText[] | undefined) => {
    const { stream, revision } = last?.at(-1) ?? {};
    const after = stream === undefined || revision === undefined ? undefined : { stream, revision };
    return store.readByStream({ after, upTo: end, only });
  };
  for await (const page of resuming('read of every stream', open, patience)) yield page.map(prove);
}
