import type { FastifyReply } from 'fastify';
import { isContainer } from './json-value.ts';

const IGNORED_FIELDS_HEADER = 'x-ignored-fields';
const IGNORED_BODY_HEADER = 'x-ignored-body';

const MOST_NAMES = 20;
const LONGEST_NAME = 64;

/** Names come from whoever calls: those in the header have no line break and no comma, and no end of them is cut off. */
const safe = (name: string): string => name.slice(0, LONGEST_NAME).replace(/[^\w.-]/g, '?') || '?';

const listed = (names: readonly string[]): string => {
  const different = [...new Set(names.map(safe))];
  return [...different.slice(0, MOST_NAMES), ...(different.length > MOST_NAMES ? ['...'] : [])].join(', ');
};

/** The way to everything in `sent` that is not in `kept`. */
const droppedFrom = (sent: object, kept: object, before = ''): string[] =>
  Object.entries(sent).flatMap(([name, value]) => {
    const way = before + name;
    if (!Object.hasOwn(kept, name)) return [way];
    const inner: unknown = Reflect.get(kept, name);
    return isContainer(value) && isContainer(inner) && inner !== value ? droppedFrom(value, inner, `${way}.`) : [];
  });

const dropped = new WeakMap<object, readonly string[]>();

/** For whoever looks at a body or a query: what of it was kept. Where nobody looks, all of it is ignored. */
export const noteKept = (sent: unknown, kept: unknown): void => {
  if (isContainer(sent)) dropped.set(sent, isContainer(kept) && kept !== sent ? droppedFrom(sent, kept) : []);
};

export const tellIgnoredBody = (reply: FastifyReply, why: string): void => {
  void reply.header(IGNORED_BODY_HEADER, why);
};

type Sent = { readonly body: unknown; readonly query: unknown };

/** Tells of a call that went through to its end what nobody looked at: a misspelt name is otherwise found by loss. */
export const tellIgnored = ({ body, query }: Sent, reply: FastifyReply): void => {
  const ofQuery = isContainer(query) ? (dropped.get(query) ?? Object.keys(query)) : [];
  const ofBody = isContainer(body) ? dropped.get(body) : [];
  const names = listed([...(ofBody ?? []), ...ofQuery]);
  if (names !== '') void reply.header(IGNORED_FIELDS_HEADER, names);
  if (!ofBody) tellIgnoredBody(reply, 'this call takes none');
};
