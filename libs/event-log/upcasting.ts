import { UnknownSchemaVersion } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { RecordedEvent } from './port.ts';

/** One step: turns data of version `from` into data of version `from + 1`. It lives beside the event's type. */
export type Upcaster = { readonly type: string; readonly from: number; readonly up: (data: JsonObject) => JsonObject };

export type KnownEvents = {
  /** Of each type the newest schema version that this release can read. */
  readonly versions: Readonly<Record<string, number>>;
  /** Every step from version 1 to there. */
  readonly upcasters: readonly Upcaster[];
};

export type Upcast = (event: RecordedEvent) => RecordedEvent;

/** The steps of one type, in their order; one too few or too many is a mistake that must not wait for an old event. */
const stepsOf = ({ upcasters }: KnownEvents, type: string, newest: number): readonly Upcaster['up'][] => {
  const steps = upcasters.filter((upcaster) => upcaster.type === type).toSorted((a, b) => a.from - b.from);
  const asked = Array.from({ length: newest - 1 }, (_, n) => n + 1);
  const given = steps.map(({ from }) => from);
  if (String(given) !== String(asked))
    throw new TypeError(`${type} of version ${newest} needs one upcaster from each of [${asked}], not from [${given}]`);
  return steps.map(({ up }) => up);
};

const stepsByType = (known: KnownEvents): ReadonlyMap<string, readonly Upcaster['up'][]> => {
  const strange = known.upcasters.find(({ type }) => !Object.hasOwn(known.versions, type));
  if (strange) throw new TypeError(`there is an upcaster of ${strange.type}, which has no version`);
  return new Map(Object.entries(known.versions).map(([type, newest]) => [type, stepsOf(known, type, newest)]));
};

/**
 * Readers see only the newest shape of each type that is known; what is stored never changes. A version newer than
 * this release knows is refused: guessing at money is worse than stopping.
 *
 * A type that is not known passes as it is stored. A log holds families that a reader has nothing to do with, and one
 * that a newer release brought must not stop an older one that only passes over it; whoever folds a stream knows all
 * of its types. So what is new in a stream, a type or a version, takes two releases: the first reads it, and when no
 * instance is older than that, the second writes it. In one step the instances that are still of the old release
 * refuse what the new ones have touched (commands on it fail, projections stop just before it) until they are replaced.
 */
export const createUpcast = (known: KnownEvents): Upcast => {
  const types = stepsByType(known);
  return (event) => {
    const steps = types.get(event.type);
    if (steps === undefined) return event;
    const newest = steps.length + 1;
    if (event.schemaVersion === newest) return event;
    if (event.schemaVersion > newest) throw new UnknownSchemaVersion(event, newest);
    const data = steps.slice(event.schemaVersion - 1).reduce((older, up) => up(older), event.data);
    return { ...event, data, schemaVersion: newest };
  };
};

/** As stored: for a log that was opened without what is known, and for whoever asks for it. */
export const asItIs: Upcast = (event) => event;
