import type { Credentials } from '@eventstore/db-client';
import { createEventLog, type EventLogOptions, patienceOf } from '../create-event-log.ts';
import { InvalidAppend } from '../errors.ts';
import type { ExchangeableLog, SameLog } from '../label.ts';
import { appendToStream } from './append-to-stream.ts';
import { asking, askingBefore } from './asking-before.ts';
import { type Connection, connectTo } from './connection.ts';
import type { Ownership } from './events.ts';
import { follow } from './follow.ts';
import { type AtItsNode, headNeverBack } from './head-never-back.ts';
import { holds } from './holds.ts';
import { createLabel } from './label.ts';
import { createPace } from './pace.ts';
import { endOfAll, endsOfAll, readAll } from './read-all.ts';
import { readByStream } from './read-by-stream.ts';
import { createReadStream } from './read-stream.ts';
import { createTail } from './tail.ts';

export type EventStoreDbEventLogOptions = EventLogOptions & {
  /** A connection string, such as esdb://127.0.0.1:2113?tls=false */
  readonly url: string;
  /** Which streams are of this log, on a server that others use too; default: every one is. */
  readonly ownStreams?: Ownership['isOwn'];
  /** Told of each event of others that is passed over. */
  readonly onForeign?: Ownership['onForeign'];
};

/** A server without security ignores them; one with security has them in its connection string. */
const credentialsOf = (url: string): Credentials => {
  const { username, password } = new URL(url.replace(/^[a-z+]+:/, 'http:').replace(/,[^/?]*/, ''));
  return username
    ? { username: decodeURIComponent(username), password: decodeURIComponent(password) }
    : { username: 'anonymous', password: 'anonymous' };
};

const createStore = (connection: Connection, credentials: Credentials, ownership: Ownership): AtItsNode => {
  const pace = createPace();
  const log = { connection, ownership, pace };
  const tail = createTail(log);
  const { readStream, lastRevision } = createReadStream(connection, tail);
  return {
    append: async (stream, after, events) => {
      if (!(ownership.isOwn?.(stream) ?? true))
        throw new InvalidAppend(
          `stream ${stream}: no reader of this log takes streams of that name; nothing was written`,
        );
      await pace.goesOut(events);
      const outcome = await appendToStream(connection, credentials, stream, after, events);
      if (outcome.kind === 'appended') pace.ring();
      return outcome;
    },
    readStream,
    lastRevision,
    readAll: (options) => readAll(connection, options, ownership),
    readByStream: (options) => readByStream(connection, options, ownership),
    follow: (options) => follow({ ...log, tail }, options),
    head: () => endsOfAll(connection, ownership),
    holds: (mark) => holds(connection, mark),
    misses: async (mark) => !(await holds(connection, mark)),
    end: () => endOfAll(connection),
    newest: tail.newest,
    forget: tail.forget,
    close: connection.close,
  };
};

export const openEventStoreDbEventLog = ({
  url,
  ownStreams,
  onForeign,
  ...options
}: EventStoreDbEventLogOptions): ExchangeableLog => {
  const [connection, credentials] = [connectTo(url), credentialsOf(url)];
  const store = createStore(connection, credentials, { isOwn: ownStreams, onForeign });
  let lacks = 0;
  let asked: SameLog = { exchanges: () => 0, isOurs: async () => undefined, isWhole: async () => undefined };
  const same = (): SameLog => asked;
  const onLacked = (): void => {
    lacks += 1;
  };
  return {
    ...createEventLog(headNeverBack(askingBefore(store, same)), { ...options, onLacked, isOurs: asking(same) }),
    label: createLabel(connection, credentials, patienceOf(options)),
    exchanges: () => connection.reached() + lacks,
    askBefore: (found) => {
      asked = found;
    },
  };
};
