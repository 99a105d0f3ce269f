/** The server keeps each for as long as the connection lives. */
const MOST = 100;

const names = new Map<string, string>();

/** Shapes come again and again: what has a name is parsed and planned once. Undefined: there are too many already. */
export const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size === MOST) return known;
  const name = `rows-${names.size + 1}`;
  names.set(text, name);
  return name;
};
