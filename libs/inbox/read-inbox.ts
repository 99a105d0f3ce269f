import type { Queryable } from '#platform/postgres';
import type { Kind, Severity } from './kind.ts';
import { inboxKinds, type KindName } from './kinds.ts';
import type { WaitingKind, WaitingTransactionKind } from './waiting.ts';

type Waiting = {
  readonly kind: KindName;
  readonly severity: Severity;
  readonly count: number;
  /** There are more than were counted. */
  readonly capped: boolean;
  readonly oldestAt: string | null;
  readonly list: string;
};

/** Of each kind: nobody has to know whether it is two thousand or three. */
const MOST_COUNTED = 1_000;

const names = Object.keys(inboxKinds) as KindName[];

const counted = (kind: KindName): string => `
  SELECT '${kind}' AS kind, count(*)::int AS count, min(at) AS "oldestAt"
  FROM (SELECT at FROM (${inboxKinds[kind].rows}) AS rows LIMIT ${MOST_COUNTED + 1}) AS waiting`;

const ALL = names.map(counted).join(' UNION ALL ');

type Row = { readonly kind: KindName; readonly count: number; readonly oldestAt: Date | null };

const waitingOf = ({ kind, count, oldestAt }: Row): Waiting => {
  const { severity, list }: Kind = inboxKinds[kind];
  return {
    ...{ kind, severity, list },
    count: Math.min(count, MOST_COUNTED),
    capped: count > MOST_COUNTED,
    oldestAt: oldestAt?.toISOString() ?? null,
  };
};

type Options = { readonly sealEverySeconds: number };

/** What there is something of, the most pressing first. One statement, which no projection is waited for. */
export const readInbox = async (db: Queryable, { sealEverySeconds }: Options): Promise<readonly Waiting[]> => {
  const { rows } = await db.query<Row>(ALL, [sealEverySeconds]);
  return rows
    .filter(({ count }) => count > 0)
    .map(waitingOf)
    .toSorted((one, other) => names.indexOf(one.kind) - names.indexOf(other.kind));
};

/** The ids of those that are counted. */
export const waitingIds = async (
  db: Queryable,
  kind: WaitingKind | WaitingTransactionKind,
): Promise<readonly number[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id::text FROM (${inboxKinds[kind].rows}) AS rows LIMIT ${MOST_COUNTED + 1}`,
  );
  return rows.map(({ id }) => Number(id));
};
