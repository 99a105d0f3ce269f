import type { ApiKeyBody } from '../../../accounts/api-keys/api-key-bodies.ts';
import type { EntityBody } from '../../../accounts/entities/entity-bodies.ts';
import type { TokenBody } from '../../../accounts/tokens/token-bodies.ts';
import { timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';
import { ApiKeyActs, CasinoActs, NewApiKey, NewCasino, NewToken, TokenActs } from './account-acts.tsx';

const apiKeys: ListSpec<ApiKeyBody> = {
  title: 'API keys',
  page: '/accounts',
  route: '/operator/api-keys',
  items: 'api_keys',
  keyOf: ({ id }) => id,
  filters: [],
  every: 5_000,
  columns: [
    { head: 'Key', text: ({ id }) => String(id) },
    { head: 'Name', text: ({ name }) => name ?? '–' },
    { head: 'Affiliate', text: ({ affiliate_id }) => String(affiliate_id) },
    { head: 'Casino', text: ({ entity_id }) => String(entity_id ?? 'all') },
    { head: 'Mode and scope', text: ({ mode, scope }) => `${mode}, ${scope}` },
    { head: 'Status', text: ({ status }) => status },
    timeColumn('Expires', ({ expires_at }) => expires_at),
  ],
};

const casinos: ListSpec<EntityBody> = {
  title: 'Casinos',
  page: '/casinos',
  route: '/operator/entities',
  items: 'entities',
  keyOf: ({ id }) => id,
  filters: [],
  every: 5_000,
  columns: [
    { head: 'Casino', text: ({ id }) => String(id) },
    { head: 'Name', text: ({ name }) => name },
    { head: 'Affiliate', text: ({ affiliate_id }) => String(affiliate_id) },
    { head: 'Mode', text: ({ mode }) => mode },
    { head: 'Status', text: ({ status }) => status },
    { head: 'Fees', text: ({ fees }) => (fees === null ? 'not configured' : `${fees.length} lines`) },
    { head: 'Webhook', text: ({ webhook }) => webhook?.url ?? 'none' },
  ],
};

const tokens: ListSpec<TokenBody> = {
  title: 'Tokens',
  page: '/tokens',
  route: '/operator/tokens',
  items: 'tokens',
  keyOf: ({ id }) => id,
  filters: [],
  every: 5_000,
  columns: [
    { head: 'Token', text: ({ id }) => String(id) },
    { head: 'Name', text: ({ name }) => name ?? '–' },
    { head: 'Role', text: ({ role }) => role },
    { head: 'Status', text: ({ status }) => status },
    timeColumn('Expires', ({ expires_at }) => expires_at),
  ],
};

export const ApiKeys = ({ query }: { query: Query }) => (
  <ListPage
    spec={apiKeys}
    query={query}
    acts={<NewApiKey />}
    rowActs={(apiKey, onDone) => <ApiKeyActs apiKey={apiKey} onDone={onDone} />}
  />
);

export const Casinos = ({ query }: { query: Query }) => (
  <ListPage
    spec={casinos}
    query={query}
    acts={<NewCasino />}
    rowActs={(casino, onDone) => <CasinoActs casino={casino} onDone={onDone} />}
  />
);

export const Tokens = ({ query }: { query: Query }) => (
  <ListPage
    spec={tokens}
    query={query}
    acts={<NewToken />}
    rowActs={(token, onDone) => <TokenActs token={token} onDone={onDone} />}
  />
);
