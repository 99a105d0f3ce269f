const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:2rem 1rem;background:#f4f5f7;color:#1c2330}
main{max-width:26rem;margin:0 auto;background:#fff;border-radius:.75rem;padding:1.5rem}
h1{font-size:1.25rem;margin:0 0 .5rem}
button{cursor:pointer;font:inherit;width:100%;padding:.75rem;border:0;border-radius:.5rem;background:#1c5fd4;color:#fff;margin-top:1rem}
button.no{background:none;color:#1c2330;text-decoration:underline}`;

export type Page = {
  readonly title: string;
  readonly text: string;
  readonly button?: string;
  /** Whether whoever has the phone is asked to say so when it is not about him. */
  readonly mayDisown?: boolean;
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const form = (button: string, rest = ''): string => `<form method="post"${rest}>${button}</form>\n`;

const formsOf = ({ button, mayDisown }: Page): string =>
  [
    button === undefined ? '' : form(`<button type="submit">${button}</button>`),
    mayDisown ? form('<button class="no" type="submit">This is not me</button>', ' action="?answer=not_me"') : '',
  ].join('');

/** All of it is ours but the casino's name, which an operator wrote. The forms post to where they came from. */
export const pageOf = (page: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(page.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(page.title)}</h1>
<p>${escaped(page.text)}</p>
${formsOf(page)}</main>
</body>
</html>
`;
