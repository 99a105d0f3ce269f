import { expect, it } from '@jest/globals';
import { answerTo } from './answers.ts';
import { pageOf } from './page.ts';

it('writes the name of a casino as text, whatever stands in it', () => {
  const { page } = answerTo({ outcome: 'open', purpose: 'verify', entityId: 1, casinoName: `<b>"A" & 'B'</b>` });
  const html = pageOf(page);
  expect(html).not.toContain('<b>');
  expect(html).toContain('&#60;b&#62;&#34;A&#34; &#38; &#39;B&#39;&#60;/b&#62;');
});
