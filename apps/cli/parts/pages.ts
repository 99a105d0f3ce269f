import { unreachable } from './exit.ts';

type Page = { readonly next_cursor?: unknown };

/** Page after page; a service that leads in a circle is not followed for ever. */
export async function* pagesFrom<Told extends Page>(
  read: (cursor: string | undefined) => Promise<Told>,
  first?: string,
): AsyncGenerator<Told> {
  const seen = new Set<string>();
  for (let cursor = first; ; ) {
    const page = await read(cursor);
    yield page;
    if (typeof page.next_cursor !== 'string') return;
    cursor = page.next_cursor;
    if (seen.has(cursor)) throw unreachable(`the service gave the same cursor twice: ${cursor}`);
    seen.add(cursor);
  }
}
