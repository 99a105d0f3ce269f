import { setTimeout as later } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { EventLog, RecordedEvent } from '#event-log';
import type { TableNames } from '../changes/statements.ts';
import type { Projection } from '../projection.ts';
import { brokenReason } from './broken-reason.ts';
import { type Damage, type DamageOf, readDamage } from './damage.ts';

type Head = { readonly revision: number; readonly hash: string | null };

export type Sifted = { readonly events: readonly RecordedEvent[]; readonly found: readonly Damage[] };

export type Prover = {
  /** What may be taken, and the streams that nothing more is taken of. */
  readonly sift: (events: readonly RecordedEvent[]) => Promise<Sifted>;
  /** What was sifted was not written, nor what was found. */
  readonly forget: (found: readonly Damage[]) => void;
  /** Stream → the first revision that is in no row. */
  readonly damaged: Map<string, number>;
  /** How far the row of a stream shows it; undefined: there is none, or it does not remember that. */
  readonly shows: (stream: string) => Promise<Head | undefined>;
  /** What is behind this place is as it was written. */
  readonly takenUp: (last: RecordedEvent) => void;
};

export type ProverParts = {
  readonly projection: Projection;
  readonly log: Pick<EventLog, 'read'>;
  /** Not the connection that writes: whatever is asked for here was committed before. */
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly tableNames: TableNames | undefined;
  readonly of: DamageOf;
  /** Of how many streams the last event is kept at hand; the others are asked for. */
  readonly kept?: number;
};

/** No fewer than a rebuild takes events at once: all that a batch goes on with is recalled before it is looked at. */
const KEPT_STREAMS = 20_000;
const ID = /^\d{1,15}$/;

/** What its stream has at its revision. */
const standing = async (log: Pick<EventLog, 'read'>, { stream, revision }: RecordedEvent) => {
  const [event] = await Array.fromAsync(log.read(stream, { from: revision, limit: 1, asStored: true }));
  return event?.revision === revision ? event : undefined;
};

/** A leader that wakes shows streams as they were for about two seconds. */
const PAST_MS = 3_000;

/** Whether its stream was taken away from under it: what it was cannot be asked of anybody any more. */
const isHidden = async (log: Pick<EventLog, 'read'>, event: RecordedEvent, givenAt: number): Promise<boolean> => {
  if (await standing(log, event)) return false;
  await later(Math.max(0, givenAt + PAST_MS - performance.now()));
  return (await standing(log, event)) === undefined;
};

const fits = (head: Head | undefined, { revision, metadata: { prevHash } }: RecordedEvent): boolean => {
  if (head === undefined) return revision === 0 && prevHash === null;
  return revision === head.revision + 1 && (head.hash === null || prevHash === head.hash);
};

/** The chain of every stream as far as the rows go, which remember the last event that they show. */
const createHeads = ({ projection, pool, kept = KEPT_STREAMS, tableNames = (table) => table }: ProverParts) => {
  const heads = new LRUCache<string, Head>({ max: kept });
  const { prefix = '', table } = projection.proves ?? {};

  return {
    of: (stream: string) => heads.get(stream),
    set: ({ stream, revision, metadata: { hash } }: RecordedEvent) => heads.set(stream, { revision, hash }),
    clear: () => heads.clear(),
    recall: async (streams: ReadonlySet<string>): Promise<void> => {
      if (table === undefined) return;
      const unknown = [...streams].filter((stream) => !heads.has(stream)).map((stream) => stream.slice(prefix.length));
      if (unknown.length === 0) return;
      const { rows } = await pool.query<{ id: string; revision: string; hash: string | null }>(
        `SELECT id, revision, hash FROM ${tableNames(table)} WHERE id = ANY ($1::bigint[])`,
        [unknown.filter((id) => ID.test(id))],
      );
      for (const { id, revision, hash } of rows) heads.set(`${prefix}${id}`, { revision: Number(revision), hash });
    },
  };
};

/** Holds every event that a projection takes against its own hash, and against the event before it in its stream. */
export const openProver = async (parts: ProverParts, db: Pick<pg.Client, 'query'>): Promise<Prover | undefined> => {
  const { projection, log, of } = parts;
  const { proves } = projection;
  if (!proves) return undefined;
  const damaged = await readDamage(db, of);
  const heads = createHeads(parts);

  const isSound = (event: RecordedEvent): boolean => {
    if (event.problem !== undefined) return false;
    const head = heads.of(event.stream);
    // Without rows that remember it, the link to what was taken before this process began is not known.
    return fits(head, event) || (head === undefined && proves.table === undefined);
  };

  /** The first of its stream; where rows would remember one, and do not, nothing of it is in any. */
  const inNoRow = ({ stream, revision }: RecordedEvent): number => {
    const head = heads.of(stream);
    if (head) return head.revision + 1;
    return proves.table === undefined ? revision : 0;
  };

  /** Undefined: it is sound after all, as where an operator let the one before it be passed over. */
  const judge = async (event: RecordedEvent, givenAt: number): Promise<Damage | undefined> => {
    const { stream, revision, metadata } = event;
    const broken = await brokenReason(log, stream);
    const hidden = `revision ${revision}: ${event.problem}, and the stream does not show it any more`;
    const isGone = broken === undefined && event.problem !== undefined && (await isHidden(log, event, givenAt));
    const problem = isGone ? hidden : broken;
    if (problem !== undefined) return { stream, problem, revision: inNoRow(event) };
    if (event.problem !== undefined || (await standing(log, event))?.metadata.hash !== metadata.hash)
      throw new Error(`stream ${stream}, revision ${revision}: it was read in two ways, and is looked at again`);
    return undefined;
  };

  const isOwn = ({ stream }: RecordedEvent): boolean => stream.startsWith(proves.prefix);

  /** What is wrong with it, and from now on with its stream. */
  const look = async (event: RecordedEvent, givenAt: number): Promise<Damage | undefined> => {
    const damage = isSound(event) ? undefined : await judge(event, givenAt);
    if (damage) damaged.set(damage.stream, damage.revision);
    else heads.set(event);
    return damage;
  };

  /** Those that were begun before these events. */
  const goingOn = (events: readonly RecordedEvent[]): ReadonlySet<string> => {
    const begun = new Set(events.filter(({ revision }) => revision === 0).map(({ stream }) => stream));
    return new Set(events.map(({ stream }) => stream).filter((stream) => !begun.has(stream)));
  };

  return {
    damaged,
    shows: async (stream) => {
      await heads.recall(new Set([stream]));
      return heads.of(stream);
    },
    forget: (found) => {
      heads.clear();
      for (const { stream } of found) damaged.delete(stream);
    },
    takenUp: (last) => {
      damaged.delete(last.stream);
      heads.set(last);
    },
    sift: async (all) => {
      const givenAt = performance.now();
      await heads.recall(goingOn(all.filter((event) => isOwn(event) && !damaged.has(event.stream))));
      const events: RecordedEvent[] = [];
      const found: Damage[] = [];
      for (const event of all) {
        if (damaged.has(event.stream)) continue;
        const damage = isOwn(event) ? await look(event, givenAt) : undefined;
        if (damage) found.push(damage);
        else events.push(event);
      }
      return { events, found };
    },
  };
};
