import { UnknownSchemaVersion } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { RecordedEvent } from './port.ts';

/** One step: turns data of version `from` into data of version `from + 1`. It lives beside the event's type. */
export type Upcaster = { readonly type: string; readonly from: number; readonly up: (data: JsonObject) => JsonObject };

export type Upcast = (event: RecordedEvent) => RecordedEvent;

const stepsByType = (upcasters: readonly Upcaster[]): Map<string, Map<number, Upcaster['up']>> => {
  const types = new Map<string, Map<number, Upcaster['up']>>();
  for (const { type, from, up } of upcasters) {
    const steps = types.get(type) ?? new Map<number, Upcaster['up']>();
    if (steps.has(from)) throw new TypeError(`two upcasters of ${type} from version ${from}`);
    types.set(type, steps.set(from, up));
  }
  for (const [type, steps] of types)
    for (let version = 1; version <= steps.size; version++)
      if (!steps.has(version)) throw new TypeError(`${type} has an upcaster too few: none from version ${version}`);
  return types;
};

/**
 * Readers see only the newest shape of each type; what is stored never changes. A version newer than this release
 * knows is refused: guessing at money is worse than stopping.
 */
export const createUpcast = (upcasters: readonly Upcaster[]): Upcast => {
  const types = stepsByType(upcasters);
  return (event) => {
    const steps = types.get(event.type);
    const newest = (steps?.size ?? 0) + 1;
    if (event.schemaVersion === newest || types.size === 0) return event;
    if (event.schemaVersion > newest)
      throw new UnknownSchemaVersion(
        `stream ${event.stream}, revision ${event.revision}: ${event.type} has schema version ` +
          `${event.schemaVersion}, this release knows up to ${newest}; run the newer release`,
      );
    let data = event.data;
    for (let version = event.schemaVersion; version < newest; version++) data = steps?.get(version)?.(data) ?? data;
    return { ...event, data, schemaVersion: newest };
  };
};
