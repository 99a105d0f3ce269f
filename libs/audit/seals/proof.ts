import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { depositStream } from '#deposit-commands';
import type { EventLog, RecordedEvent } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { keptHeads } from '../kept/kept-heads.ts';
import { sealOver } from '../kept/kept-seals.ts';
import { type Head, leafOf, type Seal, sealProblem } from '../kept/seal.ts';
import { createTree, rootOf, type Step } from './tree.ts';

/** An event as it is hashed: its canonical JSON has the hash that the next event names. */
export type HashedEvent = {
  readonly data: RecordedEvent['data'];
  readonly id: string;
  readonly metadata: { readonly prev_hash: string | null } & Readonly<Record<string, string | number | null>>;
  readonly revision: number;
  readonly stream: string;
  readonly type: string;
};

/** From one event along its chain to the end of its stream, from there up the tree, and the seal over it. */
export type Proof = {
  readonly format: 'cointill proof 1';
  readonly events: readonly HashedEvent[];
  readonly path: readonly Step[];
  readonly seal: Seal;
};

export type ProofOutcome =
  | { readonly outcome: 'proven'; readonly proof: Proof }
  | { readonly outcome: 'no_such_event' | 'not_sealed_yet' | 'not_as_sealed' };

const hashedEvent = ({ data, id, metadata, revision, stream, type, schemaVersion }: RecordedEvent): HashedEvent => ({
  ...{ data, id, revision, stream, type },
  metadata: {
    schema_version: schemaVersion,
    occurred_at: metadata.occurredAt,
    ...(metadata.actor !== undefined && { actor: metadata.actor }),
    ...(metadata.correlationId !== undefined && { correlation: metadata.correlationId }),
    ...(metadata.causationId !== undefined && { causation: metadata.causationId }),
    prev_hash: metadata.prevHash,
  },
});

type Parts = { readonly log: Pick<EventLog, 'read'>; readonly db: Queryable };

const climb = async (db: Queryable, seal: Seal, stream: string) => {
  const tree = createTree();
  let head: Head | undefined;
  for await (const each of keptHeads(db, seal.number)) {
    tree.add(leafOf(each), each.stream === stream);
    if (each.stream === stream) head = each;
  }
  const { hash, path } = tree.root();
  return head && path && hash === seal.root ? { head, path } : undefined;
};

/** That an event of a deposit lies under the first seal that was made after it. */
export const proveEvent = async ({ log, db }: Parts, depositId: number, revision: number): Promise<ProofOutcome> => {
  const stream = depositStream(depositId);
  const events = await Array.fromAsync(log.read(stream, { from: revision, asStored: true }));
  const [event] = events;
  if (event?.revision !== revision) return { outcome: 'no_such_event' };
  const seal = await sealOver(db, event.position);
  if (!seal) return { outcome: 'not_sealed_yet' };
  const climbed = await climb(db, seal, stream);
  if (!climbed) return { outcome: 'not_as_sealed' };
  const under = events.filter((each) => each.revision <= climbed.head.revision).map(hashedEvent);
  const proof = { format: 'cointill proof 1' as const, events: under, path: climbed.path, seal };
  return proofProblem(proof, undefined) === undefined ? { outcome: 'proven', proof } : { outcome: 'not_as_sealed' };
};

const hashOf = (event: HashedEvent): string =>
  createHash('sha256')
    .update(canonicalize(event) ?? '')
    .digest('hex');

/** Where the chain of these events ends; undefined: they are no chain. */
const endOf = (events: readonly HashedEvent[]): Head | undefined => {
  let end: Head | undefined;
  for (const event of events) {
    const { stream, revision, metadata } = event;
    if (end && (metadata.prev_hash !== end.hash || revision !== end.revision + 1 || stream !== end.stream))
      return undefined;
    end = { stream, revision, hash: hashOf(event) };
  }
  return end;
};

/** Needs nothing but the proof and the public key; undefined: the first of its events was there when it was sealed. */
export const proofProblem = (proof: Proof, publicKey: string | undefined): string | undefined => {
  if (proof.format !== 'cointill proof 1') return 'it is no proof of this format';
  const end = endOf(proof.events);
  if (!end) return 'its events are no chain';
  if (rootOf(leafOf(end), proof.path) !== proof.seal.root) return 'its path does not lead to the root of the seal';
  const problem = publicKey === undefined ? undefined : sealProblem(proof.seal, publicKey);
  return problem && `the seal: ${problem}`;
};
