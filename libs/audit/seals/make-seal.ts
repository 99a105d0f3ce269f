import type pg from 'pg';
import type { EventLog, ProvenEvent } from '#event-log';
import { auditTrailEnd, isAuditedBehind } from '#partners';
import { whileOwner } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { databaseTime, forgetUnsealed, keepHeads, keptHeads } from '../kept/kept-heads.ts';
import { keepSeal, lastSeal, lastSealOfTrail, numberBehind } from '../kept/kept-seals.ts';
import { signingKey } from '../kept/key.ts';
import { placeUnder } from '../kept/place-under.ts';
import { type Head, isPairOf, keyHash, leafOf, type Seal, sealHash, signSeal } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import { breakOf } from '../verify/fold-stream.ts';
import { brokenSeals } from '../verify/kept-seals.ts';
import { trailAgainst, trailBreaks } from '../verify/trail.ts';
import type { Progress } from '../verify/verify.ts';
import { createTree } from './tree.ts';
import { createWalk } from './walk.ts';

export type SealParts = {
  readonly log: Pick<EventLog, 'readByStream' | 'head'>;
  readonly pool: pg.Pool;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly signal: AbortSignal;
  /** What is not as it was written, or as it was sealed before: it is sealed as it is, and told. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly breathe?: (() => Promise<void>) | undefined;
};

type Looked = Pick<Seal, 'position' | 'events' | 'streams' | 'root' | 'trail' | 'breaks'>;

/** The audit trail as it is now, after it was proven and held against what was sealed of it last. */
const lookAtTrail = async (db: pg.Client, tell: (finding: Finding) => void): Promise<Pick<Seal, 'trail'>> => {
  const sealed = (await lastSealOfTrail(db))?.trail;
  for (const each of await trailBreaks(db)) tell(each);
  for (const each of sealed ? await trailAgainst(db, sealed) : []) tell(each);
  const trail = await auditTrailEnd(db);
  return trail ? { trail } : {};
};

const furthest = (reached: Seal['position'], events: readonly ProvenEvent[]): Seal['position'] =>
  events.reduce<Seal['position']>((far, { position }) => (far === null || position > far ? position : far), reached);

/** Proves all of history once more, and keeps where each stream ends. */
const look = async (parts: SealParts, db: pg.Client, number: number, previous: Seal | undefined): Promise<Looked> => {
  const { log, onFinding, onProgress, breathe, signal } = parts;
  const position = (await log.head()) ?? null;
  const tree = createTree();
  let [events, streams, breaks] = [0, 0, 0];
  let reached: Seal['position'] = null;
  let moved: Head[] = [];
  const tell = (finding: Finding): void => {
    breaks += 1;
    onFinding?.(finding);
  };
  const walk = createWalk({
    sealed: keptHeads(db, number - 1),
    position: previous ? await placeUnder(db, previous) : null,
    tell,
    onHead: (head, before) => {
      streams += 1;
      tree.add(leafOf(head));
      if (head.revision !== before?.revision || head.hash !== before.hash) moved.push(head);
    },
  });
  const keep = async (): Promise<void> => {
    if (moved.length > 0) await keepHeads(db, number, moved);
    moved = [];
  };
  for await (const page of position === null ? [] : log.readByStream({ upTo: position })) {
    signal.throwIfAborted();
    for (const event of page) if (event.problem !== undefined) tell(breakOf(event));
    // What stands behind that place is told of, and sealed once the log has come to it.
    const under = page.filter((event) => position !== null && event.position <= position);
    events += under.length;
    reached = furthest(reached, under);
    await walk.page(under);
    await keep();
    onProgress?.({ events, streams, rows: 0 });
    await breathe?.();
  }
  await walk.end();
  await keep();
  for await (const each of brokenSeals(db)) tell(each);
  const trail = await lookAtTrail(db, tell);
  // The last of ours: what comes in a log that lacks but what others wrote behind it is not under this seal.
  return { position: reached ?? position, events, streams, root: tree.root().hash, ...trail, breaks };
};

/** More than can have been made since a backup. */
const PASSED_OVER = 1_000;

/** A restored database has forgotten what it sealed since the backup: as other numbers do, those of seals go on far above. */
const nextNumber = async (db: pg.Client, free: number, previous: Seal | undefined): Promise<number> =>
  (await isAuditedBehind(db, previous?.trail?.place ?? 0, ['numbers']))
    ? numberBehind(db, free - 1 + PASSED_OVER)
    : free;

/** The seal is there with its last statement, or not at all: what was begun before is begun anew. */
const makeOver = async (parts: SealParts, db: pg.Client): Promise<Seal> => {
  const previous = await lastSeal(db);
  const free = await numberBehind(db, previous?.number ?? 0);
  await forgetUnsealed(db, free - 1);
  const number = await nextNumber(db, free, previous);
  const { publicKey, privateKey } = await signingKey(db, parts.secrets);
  if (!isPairOf(publicKey, privateKey)) {
    parts.onFinding?.({
      by: 'seal',
      table: 'audit_keys',
      key: { id: 1 },
      problem: 'it is not the key that seals are signed with',
    });
    throw new Error('the public key of seals in audit_keys is not that of the private one: nothing is sealed with it');
  }
  const looked = await look(parts, db, number, previous);
  const body = {
    format: 'cointill seal 1' as const,
    number,
    sealed_at: (await databaseTime(db)).toISOString(),
    ...looked,
    previous: previous ? sealHash(previous) : null,
    key: keyHash(publicKey),
  };
  const seal = signSeal(body, privateKey);
  await keepSeal(db, seal);
  return seal;
};

export const SEALER = 'cointill audit seal';

/** One at a time, over all processes; undefined: it was told to stop before its turn came. `unless` looks once more then. */
export const makeSeal = (
  parts: SealParts,
  unless: (last: Seal | undefined, now: Date) => boolean = () => false,
): Promise<Seal | undefined> =>
  whileOwner({ name: SEALER, pool: parts.pool, signal: parts.signal }, async (db, over) =>
    unless(await lastSeal(db), await databaseTime(db)) ? undefined : makeOver({ ...parts, signal: over }, db),
  );
