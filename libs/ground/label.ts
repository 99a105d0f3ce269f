import type { JsonObject, LabelEvent, LogLabel } from '#event-log';
import type { Played } from '#instances';

/** Whose a log is, and what payments in it are. */
export type Owner = Played & {
  readonly installation: string;
  readonly since: Date;
  /** The revision of what names it. */
  readonly at: number;
};

/** `first` and `last`: the revisions between which something can be read. */
export type Told = {
  readonly owner: Owner | undefined;
  readonly first: number | undefined;
  readonly last: number | undefined;
};

const NAMED = 'InstallationNamed';
const CHANGED = 'InstallationEngineChanged';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const fieldOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? data[name as keyof typeof data] : undefined;

const playedIn = (data: unknown): Played | undefined => {
  const [engine, demo] = [fieldOf(data, 'engine'), fieldOf(data, 'demo')];
  return typeof engine === 'string' && typeof demo === 'boolean' ? { engine, demo } : undefined;
};

/** Whatever else stands there is somebody else's, and says nothing. */
const after = (owner: Owner | undefined, { type, data, recordedAt, revision }: LabelEvent): Owner | undefined => {
  const played = playedIn(data);
  if (played === undefined) return owner;
  if (owner !== undefined) return type === CHANGED ? { ...owner, ...played } : owner;
  const installation = fieldOf(data, 'installation');
  if (type !== NAMED || typeof installation !== 'string' || !UUID.test(installation)) return undefined;
  return { installation, since: recordedAt, at: revision, ...played };
};

export const readLabel = (label: Pick<LogLabel, 'read'>): Promise<Told> =>
  label.read<Told>(
    ({ owner, first }, event) => ({ owner: after(owner, event), first: first ?? event.revision, last: event.revision }),
    { owner: undefined, first: undefined, last: undefined },
  );

const asData = ({ engine, demo }: Played): JsonObject => ({ engine, demo });

export const named = (installation: string, played: Played) => ({
  type: NAMED,
  data: { installation, ...asData(played) },
});

export const changed = (played: Played) => ({ type: CHANGED, data: asData(played) });
