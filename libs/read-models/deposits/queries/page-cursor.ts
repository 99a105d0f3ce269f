/** The last deposit of the page before. */
export type PageCursor = { readonly createdAt: string; readonly id: number };

export const cursorText = ({ createdAt, id }: PageCursor): string =>
  Buffer.from(`${createdAt} ${id}`, 'utf8').toString('base64url');

const written = /^([1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) (\d{1,15})$/;

/** Undefined for what no page gave as its `next_cursor`. */
export const readPageCursor = (text: string): PageCursor | undefined => {
  const [, createdAt = '', id = ''] = written.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  const time = Date.parse(createdAt);
  // A day that its month lacks is read as one of the next: no row was made then.
  return Number.isNaN(time) || new Date(time).toISOString() !== createdAt ? undefined : { createdAt, id: Number(id) };
};
