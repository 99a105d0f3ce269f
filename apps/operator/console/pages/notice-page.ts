import type { FastifyReply } from 'fastify';
import type { Assets } from './assets.ts';
import { PAGE_HEADERS } from './serve-pages.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

export type Notice = { readonly title: string; readonly text: string; readonly back?: boolean };

const noticePage = (assets: Assets, { title, text, back = true }: Notice): string => {
  const style = [...assets.keys()].find((name) => name.endsWith('.css'));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} – Cointill console</title>
<link rel="icon" href="data:,">
${style ? `<link rel="stylesheet" href="/console/assets/${style}">` : ''}
<main class="sign-in">
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
${back ? '<p><a href="/console/">Back to the sign-in</a></p>' : ''}
</main>
</html>
`;
};

/** A page of the console that no script draws. */
export const showNotice =
  (assets: Assets) =>
  (reply: FastifyReply, status: number, notice: Notice): FastifyReply =>
    reply
      .code(status)
      .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(noticePage(assets, notice));
