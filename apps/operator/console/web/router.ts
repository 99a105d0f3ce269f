import { useLayoutEffect, useState } from 'preact/hooks';

export type Place = { readonly path: string; readonly query: Readonly<Record<string, string>> };

const ROOT = '/console';

const placeNow = (): Place => ({
  path: location.pathname.replace(/\/+$/, '').slice(ROOT.length) || '/',
  query: Object.fromEntries(new URLSearchParams(location.search)),
});

/** Pages are named within the console; the browser's history keeps their filters. */
export const linkTo = (page: string): string => (page === '/' ? `${ROOT}/` : ROOT + page);

const PAGES: Readonly<Record<string, string>> = {
  'webhook-deliveries': 'deliveries',
  'api-keys': 'accounts',
  'audit-trail': 'audit',
  chains: 'system',
};
const MARKET = new Set(['rates', 'currencies']);

/** The page that shows what an operators' route does. */
export const pageOf = (href: string): string => {
  const [path = '', query] = href.replace('/operator/', '').split('?');
  const [list = '', ...one] = path.split('/');
  const page = [MARKET.has(list) ? 'market' : (PAGES[list] ?? list), ...one].join('/');
  return `/${page}${query ? `?${query}` : ''}`;
};

export const go = (page: string, { replace = false } = {}): void => {
  history[replace ? 'replaceState' : 'pushState'](null, '', linkTo(page));
  dispatchEvent(new PopStateEvent('popstate'));
};

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented;

const pageOfLink = (target: EventTarget | null): string | undefined => {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  return link.pathname.startsWith(`${ROOT}/`) ? link.pathname.slice(ROOT.length) + link.search : undefined;
};

/** Links within the console load nothing anew. */
export const followLinks = (): void => {
  document.addEventListener('click', (event) => {
    const page = isPlain(event) ? pageOfLink(event.target) : undefined;
    if (page === undefined) return;
    event.preventDefault();
    go(page);
  });
};

export const usePlace = (): Place => {
  const [place, setPlace] = useState(placeNow);
  // What is drawn can be clicked: whoever listens does so from then on.
  useLayoutEffect(() => {
    const changed = () => setPlace(placeNow());
    addEventListener('popstate', changed);
    return () => removeEventListener('popstate', changed);
  }, []);
  return place;
};
