import { options } from 'preact';

/** Controls, marks that turn a line around, and what takes no room or only seems to be a space. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

const coded = (letter: string): string => {
  const code = letter.codePointAt(0)?.toString(16) ?? '';
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};

/** What partners and players sent may not turn a line around, nor look like what it is not: it is told as a code. */
export const shownText = (text: string): string => text.replace(UNSEEN, coded);

/** Every text of the console, wherever it came from: no page can forget it. Before anything is drawn. */
export const showAllTextSafely = (): void => {
  const before = options.vnode;
  options.vnode = (node) => {
    const { type, props }: { readonly type: unknown; readonly props: unknown } = node;
    if (type === null && typeof props === 'string') Object.assign(node, { props: shownText(props) });
    before?.(node);
  };
};
