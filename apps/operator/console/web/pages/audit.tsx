import type { AuditEntryBody } from '../../../accounts/audit-trail/audit-trail-bodies.ts';
import { timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';

type Change = Pick<AuditEntryBody, 'before' | 'after'>;

const textOf = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value));

/** What was otherwise before. */
const differencesOf = ({ before, after }: Change): readonly string[] => {
  const [old, fresh] = [{ ...before } as Record<string, unknown>, { ...after } as Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return names
    .filter((name) => textOf(old[name]) !== textOf(fresh[name]))
    .map((name) =>
      before === null ? `${name}: ${textOf(fresh[name])}` : `${name}: ${textOf(old[name])} → ${textOf(fresh[name])}`,
    );
};

const spec: ListSpec<AuditEntryBody> = {
  title: 'Audit trail',
  page: '/audit',
  route: '/operator/audit-trail',
  items: 'audit_trail',
  keyOf: ({ id }) => id,
  filters: [
    { name: 'actor', label: 'Who' },
    { name: 'subject', label: 'What' },
    { name: 'subject_id', label: 'Which (id)' },
  ],
  columns: [
    { head: 'Place', text: ({ place }) => String(place ?? '–'), numeric: true },
    timeColumn('When', ({ at }) => at),
    { head: 'Who', text: ({ actor }) => actor },
    { head: 'Did', text: ({ action, subject, subject_id }) => `${action} ${subject} ${subject_id}` },
    {
      head: 'Before and after',
      text: (entry) => differencesOf(entry).join('; '),
      cell: (entry) => (
        <ul>
          {differencesOf(entry).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ),
    },
  ],
};

export const AuditTrail = ({ query }: { query: Query }) => <ListPage spec={spec} query={query} />;
