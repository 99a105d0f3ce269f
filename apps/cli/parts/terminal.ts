import { styleText } from 'node:util';

/** Bold on a terminal, unless NO_COLOR is set. */
export const bold = (text: string, stream: NodeJS.WriteStream): string => styleText('bold', text, { stream });

export const widthOf = (stream: NodeJS.WriteStream): number => (stream.isTTY ? stream.columns || 80 : 160);
