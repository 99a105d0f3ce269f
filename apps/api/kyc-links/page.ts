const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:2rem 1rem;background:#f4f5f7;color:#1c2330}
main{max-width:26rem;margin:0 auto;background:#fff;border-radius:.75rem;padding:1.5rem}
h1{font-size:1.25rem;margin:0 0 .5rem}
button{font:inherit;width:100%;padding:.75rem;border:0;border-radius:.5rem;background:#1c5fd4;color:#fff;margin-top:1rem}`;

export type Page = { readonly title: string; readonly text: string; readonly button?: string };

/** All of it is ours: nothing that anybody sent is ever written into a page. The form posts to where it came from. */
export const pageOf = ({ title, text, button }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${button === undefined ? '' : `<form method="post"><button type="submit">${button}</button></form>\n`}</main>
</body>
</html>
`;
