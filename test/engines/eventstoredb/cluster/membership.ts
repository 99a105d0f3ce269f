import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedJournal } from './sharedJournal.ts';
import { claim, newestTerm, replaceWhole, seal, type Term } from './terms.ts';

/** Of a real cluster, as they were seen: a killed leader was replaced in 2 to 4 s, a frozen one in 6 to 9 s. */
const DEAD_FOR_MS = 1_800;
const SILENT_FOR_MS = 6_500;
/** A leader that wakes thinks for about this long that it still leads. */
const BELIEVES_FOR_MS = 2_000;
/** So long it shows itself as a follower of nobody: a client that looks for a node meanwhile may settle on it. */
const STILL_FOLLOWS_MS = 1_000;
/** How far a follower lags behind. */
const LAG_MS = 150;
const TICK_MS = 100;
/** Nobody sleeps that long between two ticks, however busy the machine. */
const ASLEEP_MS = 3_000;

export type Place = { readonly host: string; readonly port: number };
export type ClusterOptions = { readonly dir: string; readonly node: number; readonly places: readonly Place[] };

type Sign = { readonly pid: number; readonly at: number; readonly instance: string };
export type NodeState = 'leader' | 'follower' | 'unknown' | 'dead';

export type Membership = {
  readonly state: () => NodeState;
  /** Undefined while there is none. */
  readonly leader: () => Place | undefined;
  /** As this node sees them, itself included. */
  readonly members: () => readonly { readonly place: Place; readonly state: NodeState }[];
  readonly stop: () => void;
};

export type MembershipParts = {
  readonly journal: SharedJournal;
  /** It leads from now on, and has all that was written before. */
  readonly onLeading: () => void;
  readonly onDeposed: () => void;
};

const signFile = (dir: string, node: number) => join(dir, `sign-${node}.json`);

export const signOf = (dir: string, node: number): Sign | undefined => {
  try {
    return JSON.parse(readFileSync(signFile(dir, node), 'utf8'));
  } catch {
    return undefined;
  }
};

const runs = ({ pid }: Sign) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

export const joinCluster = (
  { dir, node, places }: ClusterOptions,
  { journal, onLeading, onDeposed }: MembershipParts,
): Membership => {
  const instance = randomUUID();
  let term: Term | undefined;
  let leads = false;
  let believesUntil = 0;
  let tickedAt = Date.now();
  let caughtUpAt = 0;
  let leaderlessSince: number | undefined;

  const isAwake = (sign: Sign | undefined): boolean =>
    sign !== undefined && runs(sign) && Date.now() - sign.at < SILENT_FOR_MS;
  const nodes = places.map((_, each) => each);
  const awake = (): readonly number[] => nodes.filter((each) => each === node || isAwake(signOf(dir, each)));
  const hasMajority = (): boolean => awake().length * 2 > places.length;

  /** A node that came back is another instance: it does not lead what it led before. */
  const leaderIsThere = (): boolean => {
    if (term === undefined) return false;
    const sign = signOf(dir, term.node);
    return sign?.instance === term.instance && isAwake(sign);
  };

  /** What is said of one that is awake while this node does not lead. */
  const stateBesides = (each: number): NodeState => {
    if (leaderlessSince === undefined) return term?.node === each ? 'leader' : 'follower';
    return Date.now() - leaderlessSince < STILL_FOLLOWS_MS ? 'follower' : 'unknown';
  };

  const stateOf = (each: number): NodeState => {
    if (each !== node && !isAwake(signOf(dir, each))) return 'dead';
    if (leads) return each === node ? 'leader' : 'follower';
    return stateBesides(each);
  };

  const takeOver = (number: number) => {
    term = { number, node, instance };
    for (let before = 1; before < number; before++) seal(dir, before, instance);
    journal.catchUp();
    journal.lead(number);
    leads = true;
    leaderlessSince = undefined;
    onLeading();
  };

  const asLeader = () => {
    if (term?.instance === instance) return;
    leads = false;
    onDeposed();
  };

  /** Each has its own pause, so that mostly one tries; who is first is decided by the file. */
  const stand = (since: number) => {
    const patience = DEAD_FOR_MS + 250 * awake().indexOf(node);
    const sleeps = term !== undefined && runs(signOf(dir, term.node) ?? { pid: 0, at: 0, instance: '' });
    if (!hasMajority() || (!sleeps && Date.now() - since < patience)) return;
    const number = (term?.number ?? 0) + 1;
    if (claim(dir, { number, node, instance })) takeOver(number);
  };

  const asFollower = (now: number) => {
    if (now - caughtUpAt >= LAG_MS) {
      journal.catchUp();
      caughtUpAt = now;
    }
    leaderlessSince = leaderIsThere() ? undefined : (leaderlessSince ?? now);
    if (leaderlessSince !== undefined) stand(leaderlessSince);
  };

  const tick = () => {
    const now = Date.now();
    if (leads && now - tickedAt > ASLEEP_MS) believesUntil = now + BELIEVES_FOR_MS;
    tickedAt = now;
    replaceWhole(signFile(dir, node), { pid: process.pid, at: now, instance }, instance);
    if (now < believesUntil) return;
    term = newestTerm(dir, term?.number);
    if (leads) asLeader();
    else asFollower(now);
  };

  const ticking = setInterval(tick, TICK_MS);
  leaderlessSince = Date.now();
  tick();
  return {
    state: () => (leads && !hasMajority() && Date.now() >= believesUntil ? 'unknown' : stateOf(node)),
    leader: () => {
      const leader = nodes.find((each) => stateOf(each) === 'leader');
      return leader === undefined ? undefined : places[leader];
    },
    members: () => places.map((place, each) => ({ place, state: stateOf(each) })),
    stop: () => clearInterval(ticking),
  };
};
