import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FoundBody, SearchBody } from '../../../search/search-bodies.ts';
import { withQuery } from '../calls.ts';
import type { Query } from '../parts/list-page.tsx';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { go, linkTo, pageOf } from '../router.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, dialog') !== null;

/** In the head of every page; the key “/” leads to it. */
export const SearchField = ({ path }: { path: string }) => {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  // What was looked for is done with once somebody has gone on from what was found.
  useLayoutEffect(
    () => () => {
      if (path === '/search' && field.current) field.current.value = '';
    },
    [path],
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const q = field.current?.value.trim();
    if (q) go(withQuery('/search', { q }));
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <input
          ref={field}
          type="search"
          name="q"
          aria-label="Search"
          aria-keyshortcuts="/"
          placeholder="Id, address, transaction (/)"
          maxlength={256}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
};

const WHAT: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  transaction: 'Older transaction',
  delivery: 'Webhook delivery',
  casino: 'Deposits of casino',
  player: 'Deposits of player',
};

const what = ({ kind, id }: FoundBody): string => `${WHAT[kind] ?? kind} ${id}`;

/** What has the name that was typed; one thing alone is gone to. */
export const Search = ({ query: { q } }: { query: Query }) => {
  const loaded = useLoad<SearchBody>(q ? withQuery('/operator/search', { q }) : undefined);
  const found = loaded.data?.found;
  useEffect(() => {
    const [first, ...others] = new Set(found?.map(({ href }) => href));
    if (first && others.length === 0) go(pageOf(first), { replace: true });
  }, [found]);
  return (
    <Page title={q ? `Search: ${q}` : 'Search'} {...(q && { loaded })}>
      {found && (
        <Table
          caption={`${found.length} found`}
          none="Nothing has this id, address or transaction."
          rows={found}
          keyOf={({ kind, id, by }) => `${kind} ${id} ${by}`}
          columns={[
            { head: 'What', text: what, cell: (row) => <a href={linkTo(pageOf(row.href))}>{what(row)}</a> },
            { head: 'Found by its', text: ({ by }) => by },
          ]}
        />
      )}
    </Page>
  );
};
