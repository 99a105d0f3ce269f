import type { ApiKeyBody } from '../../../accounts/api-keys/api-key-bodies.ts';
import type { EntityBody } from '../../../accounts/entities/entity-bodies.ts';
import type { TokenBody } from '../../../accounts/tokens/token-bodies.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import type { Field } from '../parts/fields.tsx';
import { Secrets } from '../parts/secret.tsx';

const ID = { pattern: '[0-9]+', hint: 'An id of digits' } as const;
const EXPIRES: Field = {
  name: 'expires_at',
  label: 'Expires (UTC, 2026-01-31T12:00:00Z; empty: never)',
  optional: true,
};
const NAME: Field = { name: 'name', label: 'Name', optional: true };

type Made = { readonly key?: string; readonly token?: string; readonly webhook_secret?: string | null };

const secretsOf = (answer: unknown) => {
  const { key, token, webhook_secret } = answer as Made;
  return <Secrets named={{ Key: key, Token: token, 'Webhook secret': webhook_secret }} />;
};

export const NewToken = () => (
  <Act
    needs="createToken"
    text="New token"
    ask={{
      title: 'A new token',
      label: 'Make the token',
      dangerous: true,
      fields: [{ name: 'role', label: 'Role', words: ['auditor', 'ops', 'admin', 'engine'] }, NAME, EXPIRES],
      children: <p>Whoever has it may do what its role may do, from now on.</p>,
      act: (reason, body) => call('/operator/tokens', { method: 'POST', body, reason }),
      shows: secretsOf,
    }}
  />
);

export const TokenActs = ({ token: { id, name, role, status }, onDone }: { token: TokenBody; onDone: () => void }) =>
  status === 'revoked' ? null : (
    <Act
      needs="revokeToken"
      text="Revoke"
      label={`Revoke token ${id}`}
      ask={{
        title: `Revoke token ${id}`,
        label: 'Revoke for ever',
        dangerous: true,
        children: (
          <p>
            {name ?? 'Without a name'} ({role}). Now: <strong>active</strong>. Then: <strong>revoked</strong>, and its
            sessions are over.
          </p>
        ),
        act: (reason) =>
          call(`/operator/tokens/${id}`, { method: 'PATCH', body: { status: 'revoked' }, reason }).then(onDone),
      }}
    />
  );

export const NewApiKey = () => (
  <Act
    needs="createApiKey"
    text="New API key"
    ask={{
      title: 'A new API key',
      label: 'Make the key',
      dangerous: true,
      fields: [
        { name: 'affiliate_id', label: 'Affiliate (id)', ...ID },
        { name: 'entity_id', label: 'Casino (id; empty: all of the affiliate)', optional: true, ...ID },
        { name: 'mode', label: 'Mode', words: ['live', 'test'] },
        { name: 'scope', label: 'Scope', words: ['admin', 'terminal'] },
        ...[NAME, EXPIRES],
      ],
      children: <p>Whoever has it makes and decides deposits of this partner.</p>,
      act: (reason, { affiliate_id, entity_id, ...more }) => {
        const body = {
          ...more,
          affiliate_id: Number(affiliate_id),
          ...(entity_id && { entity_id: Number(entity_id) }),
        };
        return call('/operator/api-keys', { method: 'POST', body, reason });
      },
      shows: secretsOf,
    }}
  />
);

export const ApiKeyActs = ({ apiKey: { id, name, status }, onDone }: { apiKey: ApiKeyBody; onDone: () => void }) => (
  <div class="buttons">
    {status !== 'revoked' && (
      <Act
        needs="changeApiKey"
        text="Revoke"
        label={`Revoke API key ${id}`}
        ask={{
          title: `Revoke API key ${id}`,
          label: 'Revoke for ever',
          dangerous: true,
          children: (
            <p>
              {name ?? 'Without a name'}. Now: <strong>{status}</strong>. Then: <strong>revoked</strong>: its partner is
              answered 401 from then on.
            </p>
          ),
          act: (reason) =>
            call(`/operator/api-keys/${id}`, { method: 'PATCH', body: { status: 'revoked' }, reason }).then(onDone),
        }}
      />
    )}
    <RotateSecret needs="rotateApiKeyWebhookSecret" path={`/operator/api-keys/${id}`} of={`API key ${id}`} />
  </div>
);

const RotateSecret = ({ needs, path, of }: { needs: string; path: string; of: string }) => (
  <Act
    needs={needs}
    text="New webhook secret"
    label={`New webhook secret of ${of}`}
    ask={{
      title: `A new webhook secret of ${of}`,
      label: 'Make the secret',
      dangerous: true,
      fields: [{ name: 'overlap_s', label: 'Seconds for which the old one signs too', value: '86400', ...ID }],
      children: <p>Webhooks are signed with the new one at once, and with the old one beside it for so long.</p>,
      act: (reason, { overlap_s }) =>
        call(`${path}/webhook-secret`, { method: 'POST', body: { overlap_s: Number(overlap_s) }, reason }),
      shows: secretsOf,
    }}
  />
);

export const CasinoActs = ({ casino: { id, name, status }, onDone }: { casino: EntityBody; onDone: () => void }) => {
  const then = status === 'disabled' ? 'enabled' : 'disabled';
  return (
    <div class="buttons">
      <Act
        needs="changeEntity"
        text={then === 'enabled' ? 'Enable' : 'Disable'}
        label={`${then === 'enabled' ? 'Enable' : 'Disable'} casino ${id}`}
        ask={{
          title: `Casino ${id}, ${name}`,
          label: then === 'enabled' ? 'Enable' : 'Disable',
          children: (
            <p>
              Now: <strong>{status}</strong>. Then: <strong>{then}</strong>.
            </p>
          ),
          act: () => call(`/operator/entities/${id}`, { method: 'PATCH', body: { status: then } }).then(onDone),
        }}
      />
      <RotateSecret needs="rotateEntityWebhookSecret" path={`/operator/entities/${id}`} of={`casino ${id}`} />
    </div>
  );
};

export const NewCasino = () => (
  <Act
    needs="createEntity"
    text="New casino"
    ask={{
      title: 'A new casino',
      label: 'Make the casino',
      fields: [
        { name: 'affiliate_id', label: 'Affiliate (id)', ...ID },
        { name: 'name', label: 'Name' },
        { name: 'external_code', label: 'Code of its own', optional: true },
        { name: 'mode', label: 'Mode', words: ['live', 'test'] },
        { name: 'url', label: 'Webhook URL (empty: none)', optional: true },
      ],
      children: <p>Fees are set by the routes of accounts; without them no deposit can be made.</p>,
      act: (reason, { affiliate_id, url, ...more }) => {
        const body = { ...more, affiliate_id: Number(affiliate_id), ...(url && { webhook: { url } }) };
        return call('/operator/entities', { method: 'POST', body, reason });
      },
      shows: (answer) => (
        <>
          <p>Casino {(answer as { id: number }).id} is made.</p>
          {(answer as Made).webhook_secret && secretsOf(answer)}
        </>
      ),
    }}
  />
);
