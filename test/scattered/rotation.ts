import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, ask, hasHeader, type Message, reachedNobody } from './message.ts';

export type Place = { readonly app: string; readonly port: number };

export type Rotation = {
  readonly add: (place: Place) => void;
  readonly next: (path: string, repeatable: boolean) => Place | undefined;
  readonly answerTo: (message: Message) => Promise<Answer>;
  /** Nothing goes there any more that cannot be repeated; whether what was under way of that kind is done soon. */
  readonly spare: (place: Place) => Promise<boolean>;
  readonly use: (place: Place) => void;
};

export type Repeats = (message: Message) => boolean;

const REPEATS_FOR_MS = 30_000;
const PAUSE_MS = 25;
const DONE_WITHIN_MS = 2_000;

const doors: Readonly<Record<string, string>> = { operator: 'operator', console: 'operator', engine: 'engine' };

const doorOf = (path: string): string => doors[/^\/(\w+)(?:[/?]|$)/.exec(path)?.[1] ?? ''] ?? 'api';

/** What reads, and what names a key of its own: "the same key and body give the same answer". */
export const isRepeatable: Repeats = ({ method, headers }) =>
  method === 'GET' || method === 'HEAD' || hasHeader(headers, 'idempotency-key');

/** Requests take turns among the places of an app, which come and go. */
export const takeTurns = (repeats: Repeats): Rotation => {
  const places: Place[] = [];
  const spared = new Set<Place>();
  /** How many that cannot be repeated are under way there. */
  const under = new Map<Place, number>();
  const turns = new Map<string, number>();
  const count = (place: Place, change: number) => under.set(place, (under.get(place) ?? 0) + change);

  const next: Rotation['next'] = (path, repeatable) => {
    const door = doorOf(path);
    const among = places.filter((place) => place.app === door && (repeatable || !spared.has(place)));
    const turn = (turns.get(door) ?? -1) + 1;
    turns.set(door, turn);
    return among[turn % among.length];
  };

  const askOnce = async (place: Place, message: Message): Promise<Answer> => {
    count(place, 1);
    return ask(place.port, message).finally(() => count(place, -1));
  };

  const tryOnce = async (message: Message, repeatable: boolean): Promise<Answer | undefined> => {
    const place = next(message.path, repeatable);
    try {
      return place && (await (repeatable ? ask(place.port, message) : askOnce(place, message)));
    } catch (error) {
      if (repeatable || reachedNobody(error)) return undefined;
      throw error;
    }
  };

  return {
    add: (place) => void places.push(place),
    next,
    answerTo: async (message) => {
      const repeatable = repeats(message);
      for (const deadline = Date.now() + REPEATS_FOR_MS; Date.now() < deadline; await delay(PAUSE_MS)) {
        const answer = await tryOnce(message, repeatable);
        if (answer) return answer;
      }
      throw new Error(`nobody answered ${message.method} ${message.path}`);
    },
    spare: async (place) => {
      spared.add(place);
      const isDone = () => (under.get(place) ?? 0) === 0;
      for (const deadline = Date.now() + DONE_WITHIN_MS; !isDone() && Date.now() < deadline; ) await delay(PAUSE_MS);
      return isDone();
    },
    use: (place) => void spared.delete(place),
  };
};
