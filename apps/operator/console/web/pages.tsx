import type { ComponentType } from 'preact';
import { Deliveries } from './pages/deliveries.tsx';
import { Deposits } from './pages/deposits.tsx';
import { Inbox } from './pages/inbox.tsx';
import { Returns } from './pages/returns.tsx';
import { Signals } from './pages/signals.tsx';
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
};

export const pages: readonly PageEntry[] = [
  { path: '/', title: 'Inbox', needs: 'readInbox', view: Inbox },
  { path: '/deposits', title: 'Deposits', needs: 'pageDeposits', view: Deposits, one: Story },
  { path: '/deliveries', title: 'Deliveries', needs: 'listWebhookDeliveries', view: Deliveries },
  { path: '/returns', title: 'Returns', needs: 'listReturns', view: Returns },
  { path: '/signals', title: 'Signals', needs: 'listSignals', view: Signals },
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
