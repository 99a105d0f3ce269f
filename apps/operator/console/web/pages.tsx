import type { ComponentType } from 'preact';
import { ApiKeys, Casinos, Tokens } from './pages/accounts.tsx';
import { ApprovalList } from './pages/approvals.tsx';
import { AuditTrail } from './pages/audit.tsx';
import { Deliveries } from './pages/deliveries.tsx';
import { Delivery } from './pages/delivery.tsx';
import { Deposits } from './pages/deposits.tsx';
import { Inbox } from './pages/inbox.tsx';
import { Market } from './pages/market.tsx';
import { Play } from './pages/play.tsx';
import { Players } from './pages/players.tsx';
import { Projection, Projections } from './pages/projections.tsx';
import { Returns } from './pages/returns.tsx';
import { Search } from './pages/search.tsx';
import { Settlements } from './pages/settlements.tsx';
import { Signals } from './pages/signals.tsx';
import { System } from './pages/system.tsx';
import { Transactions } from './pages/transactions.tsx';
import { Story } from './story/story.tsx';

type ViewProps = { readonly id: string; readonly query: Readonly<Record<string, string>> };

type PageEntry = {
  readonly path: string;
  readonly title: string;
  /** The operation without which there is nothing to see. */
  readonly needs: string;
  readonly view: ComponentType<ViewProps>;
  /** Of one of its things, by its id. */
  readonly one?: ComponentType<ViewProps>;
  /** Reached from the head of every page, and not from the list of pages. */
  readonly unlisted?: boolean;
};

export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Inbox', needs: 'readInbox', view: Inbox },
  { path: '/deposits', title: 'Deposits', needs: 'pageDeposits', view: Deposits, one: Story },
  { path: '/deliveries', title: 'Deliveries', needs: 'listWebhookDeliveries', view: Deliveries, one: Delivery },
  { path: '/returns', title: 'Returns', needs: 'listReturns', view: Returns },
  { path: '/settlements', title: 'Settlements', needs: 'listSettlements', view: Settlements },
  { path: '/signals', title: 'Signals', needs: 'listSignals', view: Signals },
  { path: '/players', title: 'Players', needs: 'listPlayers', view: Players },
  { path: '/market', title: 'Market', needs: 'listCurrencies', view: Market },
  { path: '/transactions', title: 'Older transactions', needs: 'pageTransactions', view: Transactions },
  { path: '/projections', title: 'Read models', needs: 'listProjections', view: Projections, one: Projection },
  { path: '/approvals', title: 'Approvals', needs: 'listApprovals', view: ApprovalList },
  { path: '/audit', title: 'Audit trail', needs: 'listAuditTrail', view: AuditTrail },
  { path: '/casinos', title: 'Casinos', needs: 'listEntities', view: Casinos },
  { path: '/system', title: 'System', needs: 'describeInstallation', view: System },
  { path: '/play', title: 'Play', needs: 'simulate', view: Play },
  { path: '/search', title: 'Search', needs: 'search', view: Search, unlisted: true },
  { path: '/accounts', title: 'API keys', needs: 'listApiKeys', view: ApiKeys },
  { path: '/tokens', title: 'Tokens', needs: 'listTokens', view: Tokens },
];

type Found = { readonly page: PageEntry; readonly id: string; readonly view: ComponentType<ViewProps> };

/** The page of a path, or the one of what it names by its id. */
export const pageAt = (path: string): Found | undefined => {
  const page = pages.find((one) => one.path === path);
  if (page) return { page, id: '', view: page.view };
  const [, list = '', id = ''] = /^(\/.+)\/([^/]+)$/.exec(path) ?? [];
  const above = pages.find((one) => one.path === list);
  return above?.one && { page: above, id: decodeURIComponent(id), view: above.one };
};
