import type { ApprovalBody } from '../../../approvals/approval-bodies.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';
import { useMe } from '../session/session.ts';

const Acts = ({ approval: { id, token_id, operation, about, reason, state, roles } }: { approval: ApprovalBody }) => {
  const me = useMe();
  const may = (roles as readonly string[]).includes(me.role);
  if ((state !== 'asked' && state !== 'approved') || !(may || token_id === me.id)) return null;
  const path = `/operator/approvals/${id}`;
  return (
    <div class="buttons">
      {may && state === 'asked' && token_id !== me.id && (
        <Act
          needs="approve"
          text="Approve"
          ask={{
            title: `Approve ${operation}`,
            label: 'Approve',
            dangerous: true,
            children: (
              <>
                <p>
                  Token {token_id} wants this, because: <strong>{reason}</strong>
                </p>
                <pre>{JSON.stringify(about, null, 2)}</pre>
              </>
            ),
            act: (why) => call(`${path}/approve`, { method: 'POST', reason: why }),
          }}
        />
      )}
      <Act
        needs="refuseApproval"
        text={token_id === me.id ? 'Take back' : 'Refuse'}
        ask={{
          title: `Refuse ${operation}`,
          label: 'Refuse',
          children: <p>It is not done; whoever asked may ask again.</p>,
          act: () => call(`${path}/refuse`, { method: 'POST' }),
        }}
      />
    </div>
  );
};

const spec: ListSpec<ApprovalBody> = {
  title: 'Approvals',
  page: '/approvals',
  route: '/operator/approvals',
  items: 'approvals',
  keyOf: ({ id }) => id,
  filters: [{ name: 'state', label: 'State', words: ['asked', 'approved', 'refused', 'done', 'expired'] }],
  every: 2_000,
  columns: [
    { head: 'Approval', text: ({ id }) => String(id) },
    timeColumn('Asked', ({ asked_at }) => asked_at),
    { head: 'By token', text: ({ token_id }) => String(token_id) },
    { head: 'For', text: ({ operation }) => operation },
    { head: 'Of', text: ({ about }) => JSON.stringify(about) },
    { head: 'Because', text: ({ reason }) => reason },
    {
      head: 'State',
      text: ({ state, decided_by }) => (decided_by === null ? state : `${state} (token ${decided_by})`),
    },
    timeColumn('Until', ({ expires_at }) => expires_at),
    { head: 'Act', text: () => '', cell: (approval) => <Acts approval={approval} /> },
  ],
};

export const ApprovalList = ({ query }: { query: Query }) => <ListPage spec={spec} query={query} />;
